package main

import (
	"strings"

	"github.com/heapwright/heapwright/arena"
)

// Five types of a shop, with pointers among them and strings of their own.
type (
	customer struct {
		name, mail string
		orders     *order
		id         int
	}
	order struct {
		next  *order
		items *item
		buyer *customer
		total float64
	}
	item struct {
		next  *item
		sku   string
		price float64
	}
	label struct {
		key, value string
		next       *label
	}
	event struct {
		at     int64
		of     *order
		labels *label
	}
)

// allocator is where the shop gets its memory; a field for each type, so that
// all variants pay the same indirect call.
type allocator struct {
	customer func() *customer
	order    func() *order
	item     func() *item
	label    func() *label
	event    func() *event
	text     func(string) string
}

var heapAllocator = allocator{
	func() *customer { return new(customer) },
	func() *order { return new(order) },
	func() *item { return new(item) },
	func() *label { return new(label) },
	func() *event { return new(event) },
	strings.Clone,
}

func arenaAllocator(a *arena.Arena) allocator {
	return allocator{
		func() *customer { return arena.New[customer](a) },
		func() *order { return arena.New[order](a) },
		func() *item { return arena.New[item](a) },
		func() *label { return arena.New[label](a) },
		func() *event { return arena.New[event](a) },
		func(s string) string { return arena.String(a, s) },
	}
}

func slabAllocator(a *arena.Arena) allocator {
	return allocator{
		arena.SlabOf[customer](a).New,
		arena.SlabOf[order](a).New,
		arena.SlabOf[item](a).New,
		arena.SlabOf[label](a).New,
		arena.SlabOf[event](a).New,
		func(s string) string { return arena.String(a, s) },
	}
}

var lastEvent *event

// shop makes 1,000 objects, 200 of each type.
func (a *allocator) shop() {
	var c *customer
	for i := range 200 {
		if i%10 == 0 {
			c = nil
		}
		next := a.customer()
		next.name, next.mail, next.id = a.text("Ada Lovelace"), a.text("ada@example.com"), i
		if c != nil {
			next.orders = c.orders
		}
		c = next
		o := a.order()
		o.next, o.buyer, o.total = c.orders, c, 3
		c.orders = o
		it := a.item()
		it.sku, it.price, it.next = a.text("4711-0815"), 3, o.items
		o.items = it
		l := a.label()
		l.key, l.value = a.text("colour"), a.text("green")
		e := a.event()
		e.at, e.of, e.labels = int64(i), o, l
		lastEvent = e
	}
	lastEvent = nil
}

func init() {
	cases["mixed/heap"] = repeat(heapAllocator.shop)
	cases["mixed/New"] = func(n int) {
		a := arena.NewArena()
		shop := arenaAllocator(a)
		for range n {
			shop.shop()
			a.Reset()
		}
	}
	cases["mixed/Slab"] = func(n int) {
		a := arena.NewArena()
		shop := slabAllocator(a)
		for range n {
			shop.shop()
			a.Reset()
		}
	}
	cases["mixed/first use"] = repeat(func() {
		shop := arenaAllocator(arena.NewArena())
		shop.shop()
	})
}
