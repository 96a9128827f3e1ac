// Strangers asks heapwright tune about modules that nobody here wrote, and holds the
// answer against a truth that was written before, from a profile alone. It prints
// docs/results/tune-strangers.md.
//
//	go -C bench run ./tune/strangers > docs/results/tune-strangers.md
//	go -C bench run ./tune/strangers -again > docs/results/tune-strangers.md
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/tune"
)

// stranger is a module, how to tune it, and the right headline.
type stranger struct {
	Module string
	Budget duration
	Args   []string // {dir} is the folder that has all modules' copies

	// Truth is the right headline in words. The answer must match Right, and must not
	// match Wrong. Both read the headline and the remedy of the first finding.
	Truth        string
	Right, Wrong string
}

type duration struct{ time.Duration }

func (d *duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	return err
}

//go:embed strangers.toml
var written string

type settings struct {
	only, out, tool string
	again           bool
}

// record is a file that a run leaves beside the documents of tune.
type record struct {
	Mark page.Mark
	Took time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.only, "only", "", "only modules whose name matches `REGEXP`")
	flag.StringVar(&s.out, "o", "../heapwright-out/strangers", "keep modules and answers in `DIR`")
	flag.StringVar(&s.tool, "tool", "", "use this `FILE` of heapwright instead of building it")
	flag.BoolVar(&s.again, "again", false, "run nothing: judge the answers that an earlier run kept")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) error {
	var all map[string]*stranger
	names, err := toml.Decode(written, &all)
	if err != nil {
		return err
	}
	only, err := regexp.Compile(s.only)
	if err != nil {
		return err
	}
	if s.out, err = filepath.Abs(s.out); err != nil {
		return err
	}
	if !s.again {
		if err := os.MkdirAll(s.out, 0o777); err != nil {
			return err
		}
		if s.tool, err = program.Heapwright(ctx, s.tool, s.out); err != nil {
			return err
		}
	}
	marks := map[string]page.Mark{}
	var rows strings.Builder
	sensible, inTime, asked := 0, 0, 0
	for _, key := range names.Keys() {
		name := key[0]
		if len(key) > 1 || !only.MatchString(name) {
			continue
		}
		a, err := s.ask(ctx, name, all[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		asked++
		if a.why == "" {
			sensible++
		}
		if a.net() <= all[name].Budget.Duration*11/10 {
			inTime++
		}
		marks[name] = a.Mark
		rows.WriteString(a.row(name, all[name]))
	}
	p := page.Page{File: "tune-strangers.md", Title: "The headline of tune on modules of others", Marks: marks}
	p.About = about + fmt.Sprintf("**%d of %d headlines are sensible. %d of %[2]d tunings keep to their budget, with "+
		"10%% to spare.**\n", sensible, asked, inTime)
	columns := page.Columns("module", "written before", "headline", "time:", "sensible")
	p.Sections = []page.Section{{Title: "Answers", Text: columns + rows.String()}}
	fmt.Print(p.String("tune/strangers"))
	return nil
}

const about = "Each module was profiled with `go test` and `go tool pprof`, and the right headline was written\n" +
	"down, before `heapwright tune` ran on it: `bench/tune/strangers/strangers.toml`. An answer is sensible if\n" +
	"its headline, with the remedy of the first finding, has what was written and nothing that misleads. The\n" +
	"time leaves out compiling, which does not count against the budget.\n\n"

// answer is what tune says about a module.
type answer struct {
	record
	*tune.Document
	why string // it is not sensible; "" if it is
}

// ask tunes a module, or reads the answer that was kept.
func (s *settings) ask(ctx context.Context, name string, m *stranger) (*answer, error) {
	dir := filepath.Join(s.out, name)
	if !s.again {
		if err := s.tune(ctx, dir, m); err != nil {
			return nil, err
		}
	}
	var a answer
	var err error
	if a.record, err = program.ReadJSON[record](filepath.Join(dir, "kept.json")); err != nil {
		return nil, err
	}
	d, err := program.ReadJSON[tune.Document](filepath.Join(dir, "tune.json"))
	if err != nil {
		return nil, err
	}
	a.Document = &d
	said := d.Answer
	if len(d.Diagnosis.Findings) > 0 {
		said += "\n" + d.Diagnosis.Findings[0].Remedy
	}
	switch {
	case !regexp.MustCompile(m.Right).MatchString(said):
		a.why = "not what was written"
	case m.Wrong != "" && regexp.MustCompile(m.Wrong).MatchString(said):
		a.why = "it misleads"
	}
	return &a, nil
}

func (s *settings) tune(ctx context.Context, dir string, m *stranger) error {
	module := filepath.Join(dir, "module")
	if err := fetch.Module(ctx, m.Module, module); err != nil {
		return err
	}
	args := []string{s.tool, "tune", "-C", module, "-o", dir, "-budget", m.Budget.String()}
	for _, a := range m.Args {
		args = append(args, strings.ReplaceAll(a, "{dir}", s.out))
	}
	start := time.Now()
	if err := program.Outside("").Run(ctx, args...); err != nil {
		return err
	}
	text, err := json.Marshal(record{page.Now(), time.Since(start)})
	return errors.Join(err, os.WriteFile(filepath.Join(dir, "kept.json"), text, 0o666))
}

// net is the time that counts against the budget.
func (a *answer) net() time.Duration {
	seconds := a.Diagnosis.Compiling
	if a.Modes != nil {
		seconds += a.Modes.Compiling
	}
	if a.Final != nil {
		seconds += a.Final.Compiling
	}
	return a.Took - time.Duration(seconds*float64(time.Second))
}

func (a *answer) row(name string, m *stranger) string {
	verdict := "yes"
	if a.why != "" {
		verdict = "no: " + a.why
	}
	headline := a.Answer
	if first, _, ok := strings.Cut(headline, ". "); ok {
		headline = first + "."
	}
	headline, _, _ = strings.Cut(headline, "; continue with") // names a folder
	return page.Row(name+", "+m.Module, m.Truth, headline,
		fmt.Sprintf("%v of %v", a.net().Round(time.Second), m.Budget.Duration), verdict)
}
