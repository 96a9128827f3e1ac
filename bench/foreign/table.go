package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
)

// table is the page.
type table struct {
	modules  []*judgement
	releases []*releaseRun
	changes  []*changeResult
}

// overrun is how much longer than its budget a diagnosis may take.
const overrun = 1.1

//go:embed about.txt
var about string

// page returns the sections of the parts that were run.
func (t *table) page() *page.Page {
	p := &page.Page{File: "foreign.md", Title: "Answers on foreign code", About: about, Marks: map[string]page.Mark{}}
	add := func(title, text string) { p.Sections = append(p.Sections, page.Section{Title: title, Text: text}) }
	if len(t.modules) > 0 {
		add("Modules", t.modulesSection())
	}
	if len(t.releases) > 0 {
		const title = "Before a release that cut allocations"
		add(title, t.releasesSection())
		p.Marks[title] = page.Mark{Commit: t.releases[0].outcome.Commit}
	}
	if len(t.changes) > 0 {
		const title = "Prediction and measurement"
		add(title, t.changesSection())
		p.Marks[title] = page.Now()
	}
	for _, j := range t.modules {
		add(j.module.Name, j.section())
		p.Marks[j.module.Name] = page.Mark{Commit: j.outcome.Commit}
	}
	return p
}

func (t *table) modulesSection() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %d of %d modules, %d of %d releases.\n\n", page.Platform(), len(t.modules), len(truth.Modules), len(t.ran()), len(truth.Releases))
	b.WriteString(page.Columns("module", "right of the first three:", "unsafe:", "to be judged:", "code that compiles:", "arenas, pools that pass:", "time and budget:", "compiling:", "findings:"))
	var shown, right, bad, open, late, failed int
	var patches, advised []trial
	for _, j := range t.modules {
		o := j.outcome
		if o.Failed != "" {
			failed++
			b.WriteString(page.Row(j.module.Path+"@"+j.module.Version, "failed", "", "", "", "", seconds(o.Took)+" of "+seconds(o.Budget), seconds(o.Compile), ""))
			continue
		}
		note := ""
		took, compiling := o.Took-o.compiling(), o.Compile+o.compiling()
		if float64(took) > overrun*float64(o.Budget) {
			late++
			note = " (late)"
		}
		shown, right = shown+len(j.first), right+j.right()
		bad, open = bad+j.count(unsafe), open+j.count(unjudged)
		patches, advised = append(patches, j.patches...), append(advised, j.advised...)
		b.WriteString(page.Row(j.module.Path+"@"+j.module.Version, fmt.Sprintf("%d of %d", j.right(), len(j.first)), j.count(unsafe), j.count(unjudged),
			ofAll(j.patches), ofAll(j.advised), seconds(took)+" of "+seconds(o.Budget)+note, seconds(compiling), len(o.Document.Findings)))
	}
	fmt.Fprintf(&b, "\n**%d modules: of the first findings %d of %d are right (%s), %d pieces of advice are unsafe and %d to be judged; "+
		"the code for %d of %d lines compiles, the tests pass with %d of %d arenas and pools; %d runs were late, %d failed.**\n",
		len(t.modules), right, shown, format.Share(float64(right)/max(float64(shown), 1)), bad, open,
		passed(patches), len(patches), passed(advised), len(advised), late, failed)
	return b.String()
}

// section shows one module's answers.
func (j *judgement) section() string {
	m, b := j.module, new(strings.Builder)
	fmt.Fprintf(b, "`heapwright diagnose %s`\n\n", strings.Join(m.Args, " "))
	if j.outcome.Failed != "" {
		fmt.Fprintf(b, "It failed: %s\n", j.outcome.Failed)
		return b.String()
	}
	if m.Mode != "" {
		fmt.Fprintf(b, "Best mode: %s\n\n", m.Mode)
	}
	for i, a := range j.first {
		verdict := "right"
		if !a.right {
			verdict = "not right: " + a.why
		}
		fmt.Fprintf(b, "%d. `%s` — %s\n", i+1, a.where, verdict)
	}
	sortHazards(j.hazards)
	for _, h := range j.hazards {
		fmt.Fprintf(b, "- advice at `%s`: %s%s\n", h.where, h.verdict, prefixed(": ", h.why))
	}
	for _, c := range slices.Concat(j.patches, j.advised) {
		if c.failed != "" {
			fmt.Fprintf(b, "- `%s` as advised fails: %s\n", c.where, c.failed)
		}
	}
	return b.String()
}

// ofAll writes how many of all pass, "" for none.
func ofAll(all []trial) string {
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", passed(all), len(all))
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) }
