package clean

import (
	"fmt"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func before(a *arena.Arena) int {
	p := arena.New[point](a)
	x := p.X
	a.Free()
	return x
}

func cloned(a *arena.Arena) string {
	s := arena.Clone(arena.String(a, "text"))
	p := arena.Promote(arena.New[point](a))
	a.Free()
	return s + p.Name
}

func copied(a *arena.Arena) string {
	s := string(arena.Bytes(a, []byte("x")))
	a.Free()
	return s
}

func fresh(a *arena.Arena) int {
	p := arena.New[point](a)
	a.Reset()
	p = arena.New[point](a)
	return p.X
}

func after(a *arena.Arena) {
	p := arena.New[point](a)
	fmt.Println(p)
	a.Free()
	p = nil
	fmt.Println(p == nil)
}

func maybe(a *arena.Arena, end bool) int {
	p := arena.New[point](a)
	if end {
		a.Free()
	}
	if !end {
		return p.X
	}
	return 0
}

func rounds(parts []string) (n int) {
	a := arena.NewArena()
	defer a.Free()
	for range parts {
		p := arena.New[point](a)
		n += p.X
		a.Reset()
	}
	return n
}

func deferred(pool *arena.Pool) int {
	a := pool.Get()
	defer a.Free()
	p := arena.New[point](a)
	return p.X
}

func length(a *arena.Arena) int {
	s := arena.MakeSlice[int](a, 3, 3)
	a.Free()
	return len(s)
}

func two() int {
	a, b := arena.NewArena(), arena.NewArena()
	p := arena.New[point](a)
	b.Free()
	x := p.X
	a.Free()
	return x
}

func renewed(pool *arena.Pool) {
	a := pool.Get()
	a.Free()
	a = pool.Get()
	fmt.Println(arena.New[point](a))
	a.Free()
}

func heap(a *arena.Arena) *point {
	p := new(point)
	a.Free()
	return p
}

func resetThenUse(a *arena.Arena) *point {
	a.Reset()
	return arena.New[point](a)
}

func inClosure(a *arena.Arena) int {
	p := arena.New[point](a)
	f := func() { a.Free() }
	x := p.X
	f()
	return x
}

func nested(parts [][]int) (n int) {
	a := arena.NewArena()
	defer a.Free()
	for _, part := range parts {
		var first *int
		for _, x := range part {
			if first == nil {
				first = arena.New[int](a)
				*first = x
			}
		}
		if first != nil {
			n += *first
		}
		a.Reset()
	}
	return n
}

func compared(pool *arena.Pool) bool {
	a := pool.Get()
	a.Free()
	b := pool.Get()
	defer b.Free()
	return a == b
}

func slabSurvives(a *arena.Arena, rounds int) (n int) {
	s := arena.SlabOf[point](a)
	for range rounds {
		n += s.New().X
		a.Reset()
	}
	return n + s.New().X
}
