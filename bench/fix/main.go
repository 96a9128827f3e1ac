// Fix runs heapwright fix on public modules that nobody here wrote, at their newest
// version. It prints docs/results/fix.md, with every patch that is offered.
//
// With -planted, it runs it on the programs with planted faults instead, for
// docs/results/fix-planted.md. With -releases, it runs it on modules before a release that
// cut allocations, for docs/results/fix-releases.md.
//
//	go -C bench run ./fix > docs/results/fix.md
//	go -C bench run ./fix -again > docs/results/fix.md
//	go -C bench run ./fix -second > docs/results/fix-second.md
//	go -C bench run ./fix -planted -budget 40s > docs/results/fix-planted.md
//	go -C bench run ./fix -releases -budget 40s > docs/results/fix-releases.md
package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/fix"
)

// module is a public module and the judgement on its patch.
type module struct {
	Module string
	Args   []string // packages and flags; none is ./...
	Patch  string   // what a reader says of the patch
}

// dozen is a table of modules and the page about them.
type dozen struct{ table, about, file, title string }

//go:embed modules.toml
var firstTable string

//go:embed about.txt
var firstAbout string

//go:embed second.toml
var secondTable string

//go:embed second.txt
var secondAbout string

func main() {
	s := survey.Flags("../heapwright-out/fix")
	budget := flag.Duration("budget", 10*time.Minute, "measure each module for about `TIME`")
	faults := flag.Bool("planted", false, "measure the programs with planted faults instead")
	before := flag.Bool("releases", false, "measure modules before a release that cut allocations instead")
	second := flag.Bool("second", false, "measure the second dozen of public modules instead")
	program.Main(func(ctx context.Context) error {
		switch {
		case *faults:
			return planted(ctx, s, *budget)
		case *before:
			return releases(ctx, s, *budget)
		case *second:
			s.Out = filepath.Join(s.Out, "second")
			return modules(ctx, s, *budget, dozen{
				table: secondTable, about: secondAbout,
				file: "fix-second.md", title: "Fix on further modules of others",
			})
		}
		return modules(ctx, s, *budget, dozen{
			table: firstTable, about: firstAbout, file: "fix.md", title: "Fix on modules of others",
		})
	})
}

func modules(ctx context.Context, s *survey.Survey, budget time.Duration, of dozen) error {
	marks := map[string]page.Mark{}
	var rows, patches strings.Builder
	proven := 0
	err := survey.Each(ctx, s, of.table, func(name string, m *module) error {
		args := append([]string{"-budget", budget.String()}, m.Args...)
		if len(m.Args) == 0 {
			args = append(args, "./...")
		}
		a, d, err := survey.Ask[fix.Document](ctx, s, name, m.Module, "fix", args...)
		if err != nil {
			return err
		}
		if d.Patch != "" {
			proven++
			fmt.Fprintf(&patches, "### %s\n\n%s\n\n```diff\n%s```\n\n", name, d.Gain.Words(), d.Patch)
		}
		marks[name] = a.Mark
		rows.WriteString(row(name, m, a, &d))
		return nil
	})
	if err != nil {
		return err
	}
	p := page.Page{File: of.file, Title: of.title, Marks: marks}
	p.About = of.about + fmt.Sprintf("\n**%d of %d modules get a proven patch.**\n", proven, len(marks))
	columns := page.Columns("module", "changes tried", "kept", "unproven", "answer", "a reader says", "time:")
	p.Sections = []page.Section{{Title: "Answers", Text: columns + rows.String()}}
	if proven > 0 {
		p.Sections = append(p.Sections, page.Section{Title: "Patches", Text: patches.String()})
	}
	fmt.Print(p.String("fix"))
	return nil
}

func row(name string, m *module, a survey.Answer, d *fix.Document) string {
	count := map[fix.Outcome]int{}
	for _, c := range d.Changes {
		count[c.Outcome]++
	}
	answer, _, _ := strings.Cut(d.Answer, ". The diagnosis has")
	reader := "-"
	if d.Patch != "" {
		reader = cmp.Or(m.Patch, "not read yet")
	}
	return page.Row(name+", "+m.Module, len(d.Changes), count[fix.Kept], count[fix.Unproven], answer,
		reader, a.Took.Round(time.Second))
}
