package work

import "github.com/heapwright/heapwright/arena"

// Maps are filled from empty and dropped; of the sized ones the number of keys
// is known before.
const (
	Map      = "map"
	MapSized = "map, sized"
)

const mapKeys = 1000

type point struct{ x, y int }

// mapKey spreads keys, as identifiers of a program are.
func mapKey(i int) int { return i * 7919 }

func init() {
	for _, w := range []struct {
		name string
		size int
	}{{Map, 0}, {MapSized, mapKeys}} {
		add(w.name, Heap, func() Loop { return looped(func() uint64 { return fillMap(make(map[int]point, w.size)) }) })
		add(w.name, Pool, mapCleared)
		add(w.name, Ours, func() Loop {
			return reset(func(a *arena.Arena) uint64 { return fillArenaMap(arena.NewMap[int, point](a, w.size)) })
		})
	}
}

//go:noinline
func fillMap(m map[int]point) uint64 {
	for i := range mapKeys {
		m[mapKey(i)] = point{i, 1}
	}
	return uint64(len(m) + m[mapKey(mapKeys/2)].x)
}

// mapCleared keeps one map and clears it, as a pool of maps would.
func mapCleared() Loop {
	m := map[int]point{}
	return looped(func() uint64 {
		defer clear(m)
		return fillMap(m)
	})
}

//go:noinline
func fillArenaMap(m *arena.Map[int, point]) uint64 {
	for i := range mapKeys {
		m.Set(mapKey(i), point{i, 1})
	}
	v, _ := m.Get(mapKey(mapKeys / 2))
	return uint64(m.Len() + v.x)
}
