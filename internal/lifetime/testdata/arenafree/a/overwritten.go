package a

import "github.com/heapwright/heapwright/arena"

// A table begins again with another arena.
type table struct {
	pool *arena.Pool
	mem  *arena.Arena
	rows *arena.Map[string, []byte]
}

func (t *table) rotate(write func(string, []byte)) {
	for k, v := range t.rows.All() {
		write(k, v)
	}
	t.mem = t.pool.Get() // want `the arena of the last value is not freed before this overwrites mem`
	t.rows = arena.NewMap[string, []byte](t.mem, 0)
}

func (t *table) put(k string, v []byte) { t.rows.Set(arena.String(t.mem, k), arena.Bytes(t.mem, v)) }

func (t *table) close() { t.mem.Free() }

// A game begins again with another arena, and its caller does so in a loop.
type game struct {
	mem   *arena.Arena
	moves []int
}

func (g *game) restart() {
	g.mem = arena.NewArena() // want `the arena of the last value is not freed before this overwrites it`
	g.moves = nil
}

func (g *game) end() { g.mem.Free() }

func tournament(all [][]int) (n int) {
	var g game
	for _, moves := range all {
		g.restart()
		g.moves = arena.Append(g.mem, g.moves, moves...)
		n += len(g.moves)
	}
	if g.mem != nil {
		g.end()
	}
	return n
}
