package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/store"
)

// least is the share of the limit from which on profiles are evidence.
const least = 0.8

func (b *bench) write(w io.Writer, lives []*life) error {
	stored, named := 0, 0
	var rows strings.Builder
	rows.WriteString(page.Columns("run", "usage at heap profiles:", "usage at goroutine profiles:",
		"live heap in the last:", "before the kill:", "killed after:", "the finding"))
	for i, l := range lives {
		heaps, heap := l.usages(store.Heap)
		goroutines, goroutine := l.usages(store.Goroutine)
		if min(heap, goroutine) >= least {
			stored++
		}
		live, before := "", ""
		if all := l.evidence[store.Heap]; len(all) > 0 {
			last := all[len(all)-1]
			bytes, _ := last.Figure("inuse_space")
			live, before = format.Bytes(float64(bytes)), format.Seconds(l.killed.Sub(last.Time).Seconds())
		}
		finding := "names no line of the leak"
		if l.named {
			named++
			finding = "names the line"
		}
		lived := format.Seconds(l.killed.Sub(l.began).Seconds())
		rows.WriteString(page.Row(i+1, heaps, goroutines, live, before, lived, finding))
	}
	head := page.Head("serveleak", "serveleak.md", "Evidence before the kernel kills", b.about(stored, named))
	_, err := fmt.Fprint(w, head, "\n", rows.String())
	return err
}

// usages returns the usage of the group at the times of profiles, and at the last of them.
func (l *life) usages(kind string) (text string, last float64) {
	var all []string
	for _, e := range l.evidence[kind] {
		last = l.at(e.Time)
		all = append(all, percent(last))
	}
	if len(all) == 0 {
		return "none", 0
	}
	return strings.Join(all, ", "), last
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func (b *bench) about(stored, named int) string {
	return fmt.Sprintf(`A service leaks %g%% of its memory limit in a second from its start, in a memory cgroup with that
limit (%s), until the kernel kills it. GOMEMLIMIT is the limit, too. heapwright serve watches with its default
settings; %d services run at the same time. *Usage* is the kernel's figure of the group at the times of profiles that
an alarm took. serve sees the resident memory of the process, which also counts the pages of its binary that the group
does not pay for. A heap profile has the live heap at the end of the last collection. After the kill, heapwright
diagnose asks serve about the service.

**In %d of %d runs, serve had a heap profile and a goroutine profile from above %.0f%% of the limit before the kill.
In %d, a finding names the line that leaks.** %s.
`, 100*b.share, format.Bytes(float64(b.limit)), b.together, stored, b.runs, 100*least, named, page.Platform())
}
