package main

import (
	"context"
	"embed"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

//go:embed planted
var plants embed.FS

// fault is a program of the corpus. See planted/faults.toml.
type fault struct {
	Listed, Other string
	Imports       []string
	Want          map[string]string
}

// reaching is the part of the cure's saving that a patch is to reach.
const reaching = 0.7

// planted measures the programs of the corpus.
func planted(ctx context.Context, s *survey.Survey, budget time.Duration) error {
	table, err := plants.ReadFile("planted/faults.toml")
	if err != nil {
		return err
	}
	about, err := plants.ReadFile("planted/about.txt")
	if err != nil {
		return err
	}
	s.Out = filepath.Join(s.Out, "planted")
	marks := map[string]page.Mark{}
	var listed, others, clean kind
	err = survey.Each(ctx, s, string(table), func(name string, f *fault) error {
		made := func(dir string) error { return f.write(name, dir) }
		a, d, err := survey.AskIn[fix.Document](ctx, s, name, made, "fix", "-budget", budget.String(), ".")
		if err != nil {
			return err
		}
		marks[name] = a.Mark
		switch {
		case f.Other != "":
			others.add(&d, false, name, f.Other, tried(&d), gained(&d))
		case f.Listed == "":
			clean.add(&d, false, name, tried(&d))
		default:
			c, err := f.compare(ctx, s, name, d.Patch != "", budget)
			if err != nil {
				return err
			}
			listed.add(&d, c.reached, name, f.Listed, tried(&d), c.fix, c.cure, c.share)
		}
		return nil
	})
	if err != nil {
		return err
	}
	p := page.Page{File: "fix-planted.md", Title: "Fix on planted faults", Marks: marks}
	p.About = string(about) + fmt.Sprintf("\n**Of %d listed faults, %d get a proven patch, "+
		"and %d of the patches reach the cure. Of %d other faults, %d get one, and of %d clean programs, %d.**\n",
		listed.programs, listed.patched, listed.reached, others.programs, others.patched, clean.programs, clean.patched)
	p.Sections = []page.Section{
		{Title: "Listed faults", Text: listed.table(
			"program", "rewrite", "fix", "the patch saves", "the cure saves", "share")},
		{Title: "Other faults", Text: others.table("program", "remedy", "fix", "the patch saves")},
		{Title: "Clean programs", Text: clean.table("program", "fix")},
	}
	fmt.Print(p.String("fix"))
	return nil
}

// kind is a kind of programs: listed faults, other faults, or clean ones.
type kind struct {
	rows                       strings.Builder
	programs, patched, reached int
}

func (k *kind) add(d *fix.Document, reached bool, cells ...any) {
	k.programs++
	if d.Patch != "" {
		k.patched++
	}
	if reached {
		k.reached++
	}
	k.rows.WriteString(page.Row(cells...))
}

func (k *kind) table(columns ...string) string { return page.Columns(columns...) + k.rows.String() }

// tried says in a few words which changes fix tried.
func tried(d *fix.Document) string {
	var all []string
	for _, c := range d.Changes {
		why, _, _ := strings.Cut(c.Why, "\n")
		if c.Outcome == fix.Kept {
			why = "kept"
		}
		all = append(all, fmt.Sprintf("%s at %s:%d: %s", c.Check, c.File, c.Line, why))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.ReplaceAll(strings.Join(all, "; "), "|", "/")
}

func gained(d *fix.Document) string {
	if d.Gain == nil {
		return "-"
	}
	return d.Gain.Words()
}

// comparison is the saving of a patch beside the saving of the cure.
type comparison struct {
	fix, cure, share string
	reached          bool
}

// compare measures a cure, and the patch of fix if there is one. An earlier comparison is
// read again.
func (f *fault) compare(
	ctx context.Context, s *survey.Survey, name string, patched bool, budget time.Duration,
) (c comparison, err error) {
	dir := filepath.Join(s.Out, name)
	if !s.Again {
		cure, err := f.cure(ctx, name, dir)
		if err != nil {
			return c, err
		}
		modes := "default,patch=" + cure
		if patched {
			modes += ",patch=" + filepath.Join(dir, "fix.patch")
		}
		err = program.Outside("").Run(ctx, s.Tool, "compare", "-C", filepath.Join(dir, "module"),
			"-o", filepath.Join(dir, "cure"), "-budget", budget.String(), "-modes", modes, ".")
		if err != nil {
			return c, err
		}
	}
	doc, err := program.ReadJSON[result.Document](filepath.Join(dir, "cure", "report.json"))
	if err != nil {
		return c, err
	}
	return comparisonOf(&doc), nil
}

// comparisonOf reads a comparison of the original, the cure and, perhaps, the patch.
func comparisonOf(doc *result.Document) comparison {
	cure := savingsOf(doc, 1)
	c := comparison{fix: "-", cure: cure.String(), share: "-"}
	if len(doc.Modes) < 3 {
		return c
	}
	patch := savingsOf(doc, 2)
	c.fix = patch.String()
	of, measured := sample.Primary, "CPU"
	if cure[of].Verdict != verdict.Better {
		of, measured = "B/op", "bytes"
	}
	if cure[of].Verdict == verdict.Better {
		share := (1 - patch[of].Ratio) / (1 - cure[of].Ratio)
		c.reached = share >= reaching
		c.share = fmt.Sprintf("%.0f%% of %s", 100*share, measured)
	}
	return c
}

// savings are the effects of a mode by their metrics.
type savings map[string]verdict.Effect

func savingsOf(doc *result.Document, mode int) savings {
	s := savings{}
	for _, e := range doc.Effects {
		if e.Mode == doc.Modes[mode].Name {
			s[e.Metric] = e
		}
	}
	return s
}

func (s savings) String() string {
	cpu, bytes := s[sample.Primary], s["B/op"]
	return fmt.Sprintf("CPU %s %s, bytes %s",
		format.Change(cpu.Ratio), format.Interval(cpu.Low, cpu.High), format.Change(bytes.Ratio))
}
