package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/page"
)

// releasesSection shows how many of the mended lines are named.
func (t *table) releasesSection() string {
	var b strings.Builder
	b.WriteString(`Each module is taken at the version before the release, with a benchmark of our own of the path that it mended: in the module
itself, and in another module that requires it. The rank is that of the first finding that names a line which the release
changed; "–" is not among the first three.

` + page.Columns("module", "the next release", "rank, main module:", "rank, dependency:"))
	named, of := map[side]int{}, map[side]int{}
	for _, r := range t.ran() {
		row := []any{r.Path + "@" + r.Before, r.After}
		for _, on := range []side{inside, outside} {
			i := slices.IndexFunc(t.releases, func(x *releaseRun) bool { return x.release == r && x.side == on })
			switch {
			case i < 0:
				row = append(row, "not run")
				continue
			case t.releases[i].outcome.Failed != "":
				row = append(row, "failed")
			case t.releases[i].rank == 0:
				row = append(row, "–")
			default:
				named[on]++
				row = append(row, t.releases[i].rank)
			}
			of[on]++
		}
		b.WriteString(page.Row(row...))
	}
	fmt.Fprintf(&b, "\n**As main module %d of %d, as dependency %d of %d.**\n", named[inside], of[inside], named[outside], of[outside])
	for _, run := range t.releases {
		if run.outcome.Failed != "" {
			fmt.Fprintf(&b, "\n%s as %s failed: %s\n", run.release.Name, run.side, run.outcome.Failed)
		}
	}
	return b.String()
}

// ran returns the releases that were run, on one side at least.
func (t *table) ran() (all []*truth.Release) {
	for _, run := range t.releases {
		if !slices.Contains(all, run.release) {
			all = append(all, run.release)
		}
	}
	return all
}
