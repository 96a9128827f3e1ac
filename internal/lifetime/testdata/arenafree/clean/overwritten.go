package clean

import "github.com/heapwright/heapwright/arena"

// The caller of rotate keeps the last arena.
type table struct {
	pool *arena.Pool
	mem  *arena.Arena
	rows *arena.Map[string, []byte]
}

func (t *table) rotate(write func(string, []byte)) {
	for k, v := range t.rows.All() {
		write(k, v)
	}
	t.mem = t.pool.Get()
	t.rows = arena.NewMap[string, []byte](t.mem, 0)
}

func (t *table) roll(write func(string, []byte)) {
	last := t.mem
	t.rotate(write)
	last.Free()
}

func (t *table) close() { t.mem.Free() }
