package a

import (
	"iter"

	"github.com/heapwright/heapwright/arena"
)

// The lines of a ledger lie in its arena wherever the package sets them.
type page struct {
	room  *arena.Arena
	lines []string
	title string
	total int
}

func (p *page) write(s string) { p.lines = arena.Append(p.room, p.lines, arena.String(p.room, s)) }

func (p *page) turn(send func([]string)) {
	send(p.lines)
	p.room.Reset()
	p.lines = p.lines[:0] // want `p.lines is used after p.room.Reset`
	p.total = 0
}

type books struct{ open map[string]*page }

func (b *books) close(name string) []string {
	p := b.open[name]
	if p == nil {
		return nil
	}
	delete(b.open, name)
	p.room.Free()
	return p.lines // want `p.lines is used after .*Free`
}

// The tree is longer than a call is followed.
type branch struct {
	up    *branch
	twigs []*branch
}

func (b *branch) grow(a *arena.Arena) *branch {
	t := arena.New[branch](a)
	t.up = b
	b.twigs = arena.Append(a, b.twigs, t)
	return t
}

type tree struct {
	soil  *arena.Arena
	trunk *branch
}

func plant(shape string) *tree {
	a := arena.NewArena()
	t := &tree{soil: a, trunk: arena.New[branch](a)}
	at, before := t.trunk, t.trunk
	for _, c := range shape {
		switch c {
		case '(':
			at, before = at.grow(a), at
		case ')':
			at, before = at.up, at
		case '<':
			at = before
		case '>':
			before = at.grow(a)
		}
	}
	return t
}

func (t *tree) fell() { t.soil.Free() }

func height(shape string) int {
	t := plant(shape)
	leaf := t.trunk
	for len(leaf.twigs) > 0 {
		leaf = leaf.twigs[0]
	}
	t.fell()
	return len(leaf.up.twigs) // want `leaf is used after .*Free`
}

// The last call of next, which returns false, has ended the memory of all calls before it.
type tape struct {
	a    *arena.Arena
	left int
	cell []byte
}

func (t *tape) next() bool {
	t.a.Reset()
	if t.left == 0 {
		return false
	}
	t.left--
	t.cell = arena.Bytes(t.a, []byte("cell"))
	return true
}

func first(n int) (sum int) {
	t := tape{a: arena.NewArena(), left: n}
	defer t.a.Free()
	var all [][]byte
	for t.next() {
		all = append(all, t.cell)
	}
	for _, c := range all {
		sum += int(c[0]) // want `c is used after .*Reset`
	}
	return sum
}

// The loop over the iterator begins in the first block of the function.
func sizes(a *arena.Arena, n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for range n {
			if !yield(arena.MakeSlice[int](a, n, n)) {
				return
			}
			a.Reset()
		}
	}
}

func last(a *arena.Arena) (sum int) {
	var kept []int
	for s := range sizes(a, 3) {
		if len(s) > len(kept) {
			kept = s
		}
	}
	for _, v := range kept { // want `kept is used after a.Reset`
		sum += v
	}
	return sum
}

// Code of other packages cannot set the field with the arena.
type meter struct {
	a     *arena.Arena
	marks *arena.Slab[int]
}

func (m *meter) begin() (end func()) {
	p := m.marks.New()
	return func() { *p++ }
}

func measure(work func(*meter)) {
	m := &meter{a: arena.NewArena()}
	m.marks = arena.NewSlab[int](m.a)
	end := m.begin()
	defer end() // want `end is used after m.a.Free`
	work(m)
	m.a.Free()
}
