package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/heapwright/heapwright/internal/check"
)

// write writes the page of results.
func (s *settings) write(w io.Writer, all []*outcome, j *judged) error {
	var b strings.Builder
	total := 0
	for _, o := range all {
		total += o.Lines
	}
	page := "-test > docs/results/vet.md"
	if s.reports {
		page = "-reports"
	}
	fmt.Fprintf(&b, `# vet on modules that were not written for it

Made by `+"`go -C bench run ./vet %s`"+` with %s on %s/%s: %d modules, %.1f million lines.

Each module was copied from the module proxy. All checks ran on all of its packages with `+"`-all`"+`.

`, page, runtime.Version(), runtime.GOOS, runtime.GOARCH, len(all), float64(total)/1e6)
	j.table(&b, all)
	faults, err := plants(checks)
	if err != nil {
		return err
	}
	plantedTable(&b, faults)
	if !s.reports {
		fixes(&b, all)
	}
	for _, o := range all {
		for _, list := range []struct {
			title string
			lines []string
		}{{"left alone", o.Left}, {"new messages", o.Broken}, {"not checked", o.Failures}, {"tests that fail now", o.Failing}, {"tests that failed before", o.Unstable}} {
			if len(list.lines) > 0 {
				fmt.Fprintf(&b, "\n**%s, %s:**\n\n```text\n%s\n```\n", o.Module, list.title, strings.Join(list.lines, "\n"))
			}
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// table writes how many reports of each check are right.
func (j *judged) table(b *strings.Builder, all []*outcome) {
	fmt.Fprintf(b, `## Reports, judged by reading the code

All reports of a check of correctness, and a random %d of each other check. A report is right where the fault or the
allocation is there and the remedy works at that place; whether the place matters is for a profile to say. [The
list](vet-judged.tsv) has each of them with the reason. The rules of boxing, deferloop, poolcap, poolput,
poolreset and stringconcat were changed after a first reading on the same modules; the others were judged as they were.

| check | reports | judged | right |
| --- | ---: | ---: | ---: |
`, sampled)
	reports := map[string]int{}
	for _, o := range all {
		for _, r := range o.Reports {
			reports[r.Check]++
		}
	}
	for _, c := range check.Checks {
		known, right := 0, 0
		for _, r := range j.sample {
			if v, ok := j.all[r.place]; ok && r.Check == c.Name {
				known++
				if v.right {
					right++
				}
			}
		}
		share := "–"
		if known > 0 {
			share = fmt.Sprintf("%d (%.0f%%)", right, 100*float64(right)/float64(known))
		}
		fmt.Fprintf(b, "| `%s` | %d | %d | %s |\n", c.Name, reports[c.Name], known, share)
	}
}

// fixes writes the outcome of the fixes in each module.
func fixes(b *strings.Builder, all []*outcome) {
	b.WriteString(`
## Every fix, applied

*New messages* are those of ` + "`go build` and `go vet`" + ` that were not there before. *Left alone* are files that would not
have compiled with their fixes. *Tests* are those of the changed packages that passed twice before.

| module | reports | fixes | applied | left alone | new messages | not checked | tests | fail now | failed before |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	for _, o := range all {
		tests := "| – | – | – |"
		if o.Tested > 0 {
			tests = fmt.Sprintf("| %d | %d | %d |", o.Tested, len(o.Failing), len(o.Unstable))
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d %s\n", o.Module, len(o.Reports), o.Offered, o.Applied, len(o.Left), len(o.Broken), len(o.Failures), tests)
	}
}
