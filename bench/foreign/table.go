package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/internal/format"
)

// table is the page.
type table struct {
	modules  []*judged
	releases []*releaseRun
	changes  []*changed
}

// overrun is how much longer than its budget a diagnosis may take.
const overrun = 1.1

func (t *table) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Answers on foreign code\n\nMade by `go -C bench run ./foreign > docs/results/foreign.md` with %s on %s/%s: %d of %d modules, %d of %d releases.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, len(t.modules), len(truth.Modules), len(t.ran()), len(truth.Releases))
	b.WriteString(`
The modules were not written for this tool and not chosen for its convenience. What the first findings should name, and
where an arena, a pool or package unsafe would break the program, was found by reading code and profiles by hand
(` + "`bench/foreign/truth`" + `). A finding is right if it names such a place by a rule that fits it. Advice at a place that nobody has judged
counts as neither safe nor unsafe; it is listed as "to be judged". A finding with such advice is not right. Times
are without compiling, which is told apart; they can be trusted only where nothing else ran on the machine.

Code that a finding shows for its line was applied to a copy of the module, and its package vetted, tests included. Each arena
and each pool that is advised was made in a copy, and the package's tests were run, also with -race.

| module | right of the first three | unsafe | to be judged | code that compiles | arenas, pools that pass | time and budget | compiling | findings |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	var shown, right, bad, open, late, failed int
	var patches, advised []carried
	for _, j := range t.modules {
		o := j.outcome
		if o.Failed != "" {
			failed++
			fmt.Fprintf(&b, "| %s@%s | failed | | | | | %s of %s | %s | |\n", j.module.Path, j.module.Version, seconds(o.Took), seconds(o.Budget), seconds(o.Compile))
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
		fmt.Fprintf(&b, "| %s@%s | %d of %d | %d | %d | %s | %s | %s of %s%s | %s | %d |\n", j.module.Path, j.module.Version, j.right(), len(j.first),
			j.count(unsafe), j.count(unjudged), ofAll(j.patches), ofAll(j.advised), seconds(took), seconds(o.Budget), note, seconds(compiling), len(o.Document.Findings))
	}
	fmt.Fprintf(&b, "\n**%d modules: of the first findings %d of %d are right (%s), %d pieces of advice are unsafe and %d to be judged; "+
		"the code for %d of %d lines compiles, the tests pass with %d of %d arenas and pools; %d runs were late, %d failed.**\n",
		len(t.modules), right, shown, format.Share(float64(right)/max(float64(shown), 1)), bad, open,
		passed(patches), len(patches), passed(advised), len(advised), late, failed)
	t.writeReleases(&b)
	t.writeChanges(&b)
	for _, j := range t.modules {
		j.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write shows one module's answers.
func (j *judged) write(b *strings.Builder) {
	m := j.module
	fmt.Fprintf(b, "\n## %s\n\n`heapwright diagnose %s`\n\n", m.Name, strings.Join(m.Args, " "))
	if j.outcome.Failed != "" {
		fmt.Fprintf(b, "It failed: %s\n", j.outcome.Failed)
		return
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
}

// ofAll writes how many of all pass, "" for none.
func ofAll(all []carried) string {
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
