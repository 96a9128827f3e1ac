package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
)

// least is the share of the limit from which on profiles are evidence.
const least = 0.8

func (b *bench) write(w io.Writer, lives []*life) error {
	stored, named := 0, 0
	var rows strings.Builder
	rows.WriteString(page.Columns("run", "usage at the heap profile:", "its live heap:", "usage at the goroutine profile:",
		"before the kill:", "killed after:", "the finding"))
	for i, l := range lives {
		heap, live, goroutine, before := "none", "", "none", ""
		if l.heap != nil && l.goroutine != nil && min(l.at(l.heap.Time), l.at(l.goroutine.Time)) >= least {
			stored++
		}
		if l.heap != nil {
			heap, before = percent(l.at(l.heap.Time)), format.Seconds(l.killed.Sub(l.heap.Time).Seconds())
			if v, ok := l.heap.Figure("inuse_space"); ok {
				live = format.Bytes(float64(v))
			}
		}
		if l.goroutine != nil {
			goroutine = percent(l.at(l.goroutine.Time))
		}
		finding := "names no line of the leak"
		if l.named {
			named++
			finding = "names the line"
		}
		rows.WriteString(page.Row(i+1, heap, live, goroutine, before, l.killed.Sub(l.began).Round(100*time.Millisecond), finding))
	}
	_, err := fmt.Fprint(w, page.Head("serveleak", "serveleak.md", "Evidence before the kernel kills", b.about(stored, named)), "\n", rows.String())
	return err
}

func percent(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

func (b *bench) about(stored, named int) string {
	return fmt.Sprintf(`A service leaks %g%% of its memory limit in a second from its start, in a memory cgroup with that limit (%s), until the
kernel kills it. GOMEMLIMIT is the limit, too. heapwright serve watches with its default settings; %d services run at the
same time. *Usage* is the kernel's figure of the group at the time of a profile. A heap profile has the live heap at
the end of the last collection. After the kill, heapwright diagnose asks serve about the service.

**In %d of %d runs, serve had a heap profile and a goroutine profile from above %.0f%% of the limit before the kill. In %d,
a finding names the line that leaks.** %s.
`, 100*b.share, format.Bytes(float64(b.limit)), b.together, stored, b.runs, 100*least, named, page.Platform())
}
