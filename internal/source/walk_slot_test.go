package source

import (
	"path/filepath"
	"strings"
	"testing"
)

// Each line says after "//" how an element of a slice, or the slice, keeps a value there.
const slots = `package x

type item struct{ data []byte }

type all struct {
	ring, cleared, newest, items, open []*item
	numbers                            []int
	at                                 int
	pool                               any
}

func (a *all) put(i *item, n int) {
	a.ring[a.at] = i    // slot
	a.cleared[a.at] = i //
	a.numbers[0] = n    //
	a.items[0] = a.items[1]
	if len(a.newest) < 100 {
		a.newest = append(a.newest, i) // bounded
		return
	}
	a.newest[a.at] = i           // slot
	a.items = append(a.items, i) // grows
	a.open = append(a.open, i)   // grows
}

func (a *all) take() *item {
	i := a.cleared[a.at]
	a.cleared[a.at] = nil
	return i
}

func (a *all) Close() { a.open = nil }
`

func TestElementsThatKeep(t *testing.T) {
	dir := program(t, map[string]string{"x.go": slots})
	file := filepath.Join(dir, "x.go")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.(*all).put", file, 13})
	for i, text := range strings.Split(slots, "\n") {
		got := ""
		for _, a := range x.Allocations(file, i+1) {
			switch {
			case a.Slot:
				got = "slot"
			case a.Kind == Append && a.Bounded:
				got = "bounded"
			case a.Kind == Append && !a.Shrinks:
				got = "grows"
			}
		}
		_, want, _ := strings.Cut(text, "//")
		if want = strings.TrimSpace(want); got != want {
			t.Errorf("line %d %q: %q, want %q", i+1, strings.TrimSpace(text), got, want)
		}
	}
}
