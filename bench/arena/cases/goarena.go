//go:build goexperiment.arenas

package main

import (
	"arena"
	"bytes"
	"fmt"
	"strings"
)

func goTree(a *arena.Arena, d int) *node {
	n := arena.New[node](a)
	if d > 0 {
		n.left, n.right = goTree(a, d-1), goTree(a, d-1)
	}
	return n
}

// with runs a round in an arena of Go's own package.
func with(round func(a *arena.Arena)) func(int) {
	return repeat(func() {
		a := arena.NewArena()
		round(a)
		a.Free()
	})
}

func init() {
	const variant = "Go's arena"
	cases["tree/"+variant] = with(func(a *arena.Arena) { check(goTree(a, depth)) })
	cases["objects/"+variant] = with(func(a *arena.Arena) { fill(func() *object { return arena.New[object](a) }) })
	cases["mixed/"+variant] = with(func(a *arena.Arena) {
		shop := allocator{
			func() *customer { return arena.New[customer](a) },
			func() *order { return arena.New[order](a) },
			func() *item { return arena.New[item](a) },
			func() *label { return arena.New[label](a) },
			func() *event { return arena.New[event](a) },
			strings.Clone, // it has no strings
		}
		shop.shop()
	})
	for _, c := range []struct{ count, size int }{{8, 256}, {1, 4 << 10}, {32, 4 << 10}} {
		payload := bytes.Repeat([]byte("payload."), c.size/8)
		cases[fmt.Sprintf("clones %d of %d B/%s", c.count, c.size, variant)] = with(func(a *arena.Arena) {
			for i := range c.count {
				clones[i] = arena.MakeSlice[byte](a, c.size, c.size)
				copy(clones[i], payload)
			}
		})
	}
}
