// Command copies copies what must not be, for the test of what go vet says.
package main

import "github.com/heapwright/heapwright/arena"

func main() {
	var (
		a arena.Arena
		p arena.Pool
		s arena.Slab[int]
		m arena.Map[int, int]
		b arena.Buffer
	)
	a2, p2, s2, m2, b2 := a, p, s, m, b
	_, _, _, _, _ = &a2, &p2, &s2, &m2, &b2
}
