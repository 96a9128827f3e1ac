package a

import (
	"iter"
	"slices"

	"github.com/heapwright/heapwright/arena"
)

func large(list []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, n := range list {
			if n > 9 && !yield(n) {
				return
			}
		}
	}
}

func collectedLate(p *arena.Pool) []int {
	a := p.Get()
	found := large(arena.MakeSlice[int](a, 8, 8))
	a.Free()
	return slices.Sorted(found) // want `.* used after a.Free`
}

func collectedBefore(p *arena.Pool) []int {
	a := p.Get()
	defer a.Free()
	return slices.Collect(large(arena.MakeSlice[int](a, 8, 8)))
}

func pulledLate(p *arena.Pool) int {
	a := p.Get()
	m := arena.NewMap[string, int](a, 8)
	next, stop := iter.Pull2(m.All())
	defer stop()
	a.Free()
	_, n, _ := next() // want `next is used after a.Free`
	return n
}

type tally struct{ counts []int }

func with[T any](p *arena.Pool, f func(*arena.Arena) T) T {
	a := p.Get()
	defer a.Free()
	return f(a)
}

func resultOfCallback(p *arena.Pool) int {
	t := with(p, func(a *arena.Arena) *tally { return arena.New[tally](a) })
	return len(t.counts) // want `t is used after`
}

func variableOfCallback(p *arena.Pool) int {
	var t *tally
	with(p, func(a *arena.Arena) bool { t = arena.New[tally](a); return true })
	return len(t.counts) // want `t is used after`
}

func numberOfCallback(p *arena.Pool) int {
	return with(p, func(a *arena.Arena) int { return len(arena.New[tally](a).counts) })
}

func listPassed(p *arena.Pool, store func([]*tally)) {
	a := p.Get()
	var all []*tally
	all = append(all, arena.New[tally](a))
	a.Free()
	store(all) // want `used after a.Free`
}
