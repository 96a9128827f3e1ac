// Strangers asks heapwright tune about modules that nobody here wrote, and compares the
// answer with a truth that was written before, from a profile alone. It prints
// docs/results/tune-strangers.md.
//
//	go -C bench run ./tune/strangers > docs/results/tune-strangers.md
//	go -C bench run ./tune/strangers -again > docs/results/tune-strangers.md
package main

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/tune"
)

// stranger is a module, how to tune it, and the right headline.
type stranger struct {
	Module string
	Budget time.Duration
	Args   []string

	// Truth is the right headline in words. The answer must match Right, and must not
	// match Wrong. Both read the headline and the remedy of the first finding.
	Truth        string
	Right, Wrong string
}

//go:embed strangers.toml
var written string

//go:embed about.txt
var about string

func main() {
	s := survey.Flags("../heapwright-out/strangers")
	program.Main(func(ctx context.Context) error {
		marks := map[string]page.Mark{}
		var rows strings.Builder
		sensible, inTime := 0, 0
		err := survey.Each(ctx, s, written, func(name string, m *stranger) error {
			args := append([]string{"-budget", m.Budget.String()}, m.Args...)
			a, d, err := survey.Ask[tune.Document](ctx, s, name, m.Module, "tune", args...)
			if err != nil {
				return err
			}
			verdict, took := "yes", a.Took-compiling(&d)
			if why := m.misses(&d); why == "" {
				sensible++
			} else {
				verdict = "no: " + why
			}
			if took <= m.Budget*11/10 {
				inTime++
			}
			marks[name] = a.Mark
			rows.WriteString(page.Row(name+", "+m.Module, m.Truth, headline(d.Answer),
				fmt.Sprintf("%v of %v", took.Round(time.Second), m.Budget), verdict))
			return nil
		})
		if err != nil {
			return err
		}
		p := page.Page{File: "tune-strangers.md", Title: "The headline of tune on modules of others", Marks: marks}
		p.About = about + fmt.Sprintf("\n**%d of %d headlines are sensible. "+
			"%d of %[2]d tunings keep to their budget, with 10%% to spare.**\n", sensible, len(marks), inTime)
		columns := page.Columns("module", "written before", "headline", "time:", "sensible")
		p.Sections = []page.Section{{Title: "Answers", Text: columns + rows.String()}}
		fmt.Print(p.String("tune/strangers"))
		return nil
	})
}

// misses returns why an answer is not sensible, "" if it is.
func (m *stranger) misses(d *tune.Document) string {
	said := d.Answer
	if len(d.Diagnosis.Findings) > 0 {
		said += "\n" + d.Diagnosis.Findings[0].Remedy
	}
	switch {
	case !regexp.MustCompile(m.Right).MatchString(said):
		return "not what was written"
	case m.Wrong != "" && regexp.MustCompile(m.Wrong).MatchString(said):
		return "it misleads"
	}
	return ""
}

// compiling returns the time that does not count against the budget.
func compiling(d *tune.Document) time.Duration {
	seconds := d.Diagnosis.Compiling
	if d.Modes != nil {
		seconds += d.Modes.Compiling
	}
	if d.Final != nil {
		seconds += d.Final.Compiling
	}
	return time.Duration(seconds * float64(time.Second))
}

// headline returns the first sentence of an answer, without the name of a folder.
func headline(answer string) string {
	if first, _, ok := strings.Cut(answer, ". "); ok {
		answer = first + "."
	}
	answer, _, _ = strings.Cut(answer, "; continue with")
	return answer
}
