package a

import "github.com/heapwright/heapwright/arena"

type asset struct{ tag string }

func tagAll(pool *arena.Pool, all []*asset) {
	a := pool.Get()
	defer a.Free()
	for _, x := range all {
		x.tag = arena.Concat(a, "v", x.tag) // want `memory of the arena a is kept in what all refers to`
	}
}

type planner struct {
	room *arena.Arena
	best *[]int
}

func (p *planner) round(n int) {
	defer p.room.Reset()
	plan := arena.New[[]int](p.room)
	*plan = arena.MakeSlice[int](p.room, n, n)
	if p.best == nil || len(*plan) < len(*p.best) {
		p.best = plan // want `memory of the arena p.room is kept in what p refers to`
	}
}
