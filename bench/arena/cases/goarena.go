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

// goShop has its strings on the heap: Go's arena has none.
func goShop(a *arena.Arena) {
	var c *customer
	for i := range 200 {
		if i%10 == 0 {
			c = nil
		}
		next := arena.New[customer](a)
		next.name, next.mail, next.id = strings.Clone("Ada Lovelace"), strings.Clone("ada@example.com"), i
		if c != nil {
			next.orders = c.orders
		}
		c = next
		o := arena.New[order](a)
		o.next, o.buyer, o.total = c.orders, c, 3
		c.orders = o
		it := arena.New[item](a)
		it.sku, it.price, it.next = strings.Clone("4711-0815"), 3, o.items
		o.items = it
		l := arena.New[label](a)
		l.key, l.value = strings.Clone("colour"), strings.Clone("green")
		e := arena.New[event](a)
		e.at, e.of, e.labels = int64(i), o, l
		lastEvent = e
	}
	lastEvent = nil
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
	cases["mixed/"+variant] = with(goShop)
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
