package clean

import "github.com/heapwright/heapwright/arena"

type generation struct {
	mem  *arena.Arena
	rows *arena.Map[string, []byte]
}

// The old generation is empty before a rotation, and is a copy of the active one during it.
type generations struct {
	pool        arena.Pool
	active, old generation
}

func (g *generations) fresh() generation {
	mem := g.pool.Get()
	return generation{mem, arena.NewMap[string, []byte](mem, 64)}
}

func (g *generations) put(key string, value []byte) {
	if g.active.mem == nil {
		g.active = g.fresh()
	}
	now := g.active
	now.rows.Set(arena.String(now.mem, key), arena.Bytes(now.mem, value))
}

func (g *generations) rotate(flush func(string)) {
	g.old, g.active = g.active, g.fresh()
	for k := range g.old.rows.All() {
		flush(k)
	}
	g.old.mem.Free()
	g.old = generation{}
}

func (g *generations) close() {
	g.active.mem.Free()
	g.active = generation{}
}
