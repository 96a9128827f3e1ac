package source

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Types with parameters and types that are not known have no size.
func TestCopiesOfLargeValues(t *testing.T) {
	dir := program(t, map[string]string{"x.go": `package x

type wide struct{ cells [20]int }

type pair[V any] struct {
	key   [20]int
	value V
}

type broken struct {
	cells [20]int
	what  missing
}

func (w wide) first() int { return w.cells[0] }

func loops[V any](ws []wide, ps []pair[V], known []pair[int], bs []broken) (n int) {
	for _, w := range ws {
		n += w.first()
	}
	for _, p := range ps {
		n += p.key[0]
	}
	for _, p := range known {
		n += p.key[0]
	}
	for _, b := range bs {
		n += b.cells[0]
	}
	for i := range ws {
		n += ws[i].cells[0]
	}
	return n
}
`})
	file := filepath.Join(dir, "x.go")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.loops[...]", file, 18})
	got := map[string]string{}
	for line := 1; line < 40; line++ {
		for _, a := range x.Allocations(file, line) {
			if a.Kind == Copy {
				got[a.Text] = fmt.Sprintf("%s %d", a.Type, a.Size)
			}
		}
	}
	want := map[string]string{"for … w := range ws": "wide 160", "w.first(…)": "wide 160", "for … p := range known": "pair[int] 168"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
