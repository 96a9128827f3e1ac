//go:build goexperiment.arenas

package clones

import "arena"

type memory struct{ *arena.Arena }

func begin() memory   { return memory{arena.NewArena()} }
func (m memory) end() { m.Free() }

//go:noinline
func (m memory) record() *record { return arena.New[record](m.Arena) }

//go:noinline
func (m memory) list(n int) [][]byte { return arena.MakeSlice[[]byte](m.Arena, n, n) }

//go:noinline
func (m memory) copy(b []byte) []byte {
	c := arena.MakeSlice[byte](m.Arena, len(b), len(b))
	copy(c, b)
	return c
}
