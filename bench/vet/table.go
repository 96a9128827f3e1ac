package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// write writes the page of results.
func write(w io.Writer, all []*outcome, tested bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# Every fix of vet, applied

Made by `+"`go -C bench run ./vet%s > docs/results/vet.md`"+` with %s on %s/%s.

Each module was copied from the module proxy. All checks ran on all of its packages with `+"`-all`"+`, and all fixes were
applied. *New messages* are those of `+"`go build` and `go vet`"+` that were not there before. *Left alone* are files that
would not have compiled with their fixes.

| module | reports | fixes | applied | left alone | new messages | not checked |%s
| --- | ---: | ---: | ---: | ---: | ---: | ---: |%s
`, map[bool]string{true: " -test"}[tested], runtime.Version(), runtime.GOOS, runtime.GOARCH,
		map[bool]string{true: " tests that fail now | tests that failed before |"}[tested], map[bool]string{true: " ---: | ---: |"}[tested])
	checks := map[string]int{}
	for _, o := range all {
		reports := 0
		for name, n := range o.reports {
			reports += n
			checks[name] += n
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |", o.module, reports, o.offered, o.applied, len(o.left), len(o.broken), len(o.failures))
		if tested {
			fmt.Fprintf(&b, " %d | %d |", len(o.tests), len(o.unstable))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n| check | reports |\n| --- | ---: |\n")
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		fmt.Fprintf(&b, "| `%s` | %d |\n", name, checks[name])
	}
	for _, o := range all {
		for _, list := range []struct {
			title string
			lines []string
		}{{"left alone", o.left}, {"new messages", o.broken}, {"not checked", o.failures}, {"tests that fail now", o.tests}, {"tests that failed before", o.unstable}} {
			if len(list.lines) > 0 {
				fmt.Fprintf(&b, "\n**%s, %s:**\n\n```text\n%s\n```\n", o.module, list.title, strings.Join(list.lines, "\n"))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
