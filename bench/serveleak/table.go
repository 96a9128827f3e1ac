package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/store"
)

// least is the share of the limit from which on profiles are evidence.
const least = 0.8

//go:embed page.tmpl
var text string

func (b *bench) page(lives []*life) string {
	stored, named := 0, 0
	var rows []string
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
		rows = append(rows, page.Row(i+1, heaps, goroutines, live, before, lived, finding))
	}
	return page.Head("serveleak", "serveleak.md", "Evidence before the kernel kills", page.Fill(text, struct {
		*settings
		Least         float64
		Stored, Named int
		Rows          []string
	}{b.settings, least, stored, named, rows}))
}

// usages returns the usage of the group at the times of profiles, and at the last of them.
func (l *life) usages(kind string) (text string, last float64) {
	var all []string
	for _, e := range l.evidence[kind] {
		last = l.at(e.Time)
		all = append(all, fmt.Sprintf("%.0f%%", 100*last))
	}
	if len(all) == 0 {
		return "none", 0
	}
	return strings.Join(all, ", "), last
}
