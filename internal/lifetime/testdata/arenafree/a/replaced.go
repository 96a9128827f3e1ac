package a

import "github.com/heapwright/heapwright/arena"

type generation struct {
	a     *arena.Arena
	hosts []string
}

type resolver struct {
	pool    *arena.Pool
	current *generation
}

func (r *resolver) replace() {
	g := &generation{a: r.pool.Get()}
	old := r.current
	r.current = g
	if old != nil {
		old.a.Free()
	}
}

func (r *resolver) close() { r.current.a.Free() }
