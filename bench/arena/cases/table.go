package main

import "github.com/heapwright/heapwright/arena"

// row is the value of the maps.
type row struct{ a, b, c int }

const keys = 1000

func init() {
	cases["map/heap"] = repeat(func() {
		m := map[int]row{}
		for i := range keys {
			m[i] = row{a: i}
		}
	})
	cases["map/heap, room made"] = repeat(func() {
		m := make(map[int]row, keys)
		for i := range keys {
			m[i] = row{a: i}
		}
	})
	reused := map[int]row{}
	cases["map/clear"] = repeat(func() {
		for i := range keys {
			reused[i] = row{a: i}
		}
		clear(reused)
	})
	for variant, room := range map[string]int{"Map": 0, "Map, room made": keys} {
		cases["map/"+variant] = func(n int) {
			a := arena.NewArena()
			for range n {
				m := arena.NewMap[int, row](a, room)
				for i := range keys {
					m.Set(i, row{a: i})
				}
				a.Reset()
			}
		}
	}
	cases["map/first use"] = repeat(func() {
		m := arena.NewMap[int, row](arena.NewArena(), 0)
		for i := range keys {
			m.Set(i, row{a: i})
		}
	})
}
