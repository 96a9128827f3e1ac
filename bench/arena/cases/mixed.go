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

// lastEvent keeps the newest objects alive, as a request would.
var lastEvent *event

// The shop of each variant makes the same 1,000 objects, 200 of each type, and
// 1,000 strings. It is written out for each, since an indirect call would cost
// as much as what is measured.
func heapShop() {
	var c *customer
	for i := range 200 {
		if i%10 == 0 {
			c = nil
		}
		next := new(customer)
		next.name, next.mail, next.id = strings.Clone("Ada Lovelace"), strings.Clone("ada@example.com"), i
		if c != nil {
			next.orders = c.orders
		}
		c = next
		o := new(order)
		o.next, o.buyer, o.total = c.orders, c, 3
		c.orders = o
		it := new(item)
		it.sku, it.price, it.next = strings.Clone("4711-0815"), 3, o.items
		o.items = it
		l := new(label)
		l.key, l.value = strings.Clone("colour"), strings.Clone("green")
		e := new(event)
		e.at, e.of, e.labels = int64(i), o, l
		lastEvent = e
	}
	lastEvent = nil
}

func newShop(a *arena.Arena) {
	var c *customer
	for i := range 200 {
		if i%10 == 0 {
			c = nil
		}
		next := arena.New[customer](a)
		next.name, next.mail, next.id = arena.String(a, "Ada Lovelace"), arena.String(a, "ada@example.com"), i
		if c != nil {
			next.orders = c.orders
		}
		c = next
		o := arena.New[order](a)
		o.next, o.buyer, o.total = c.orders, c, 3
		c.orders = o
		it := arena.New[item](a)
		it.sku, it.price, it.next = arena.String(a, "4711-0815"), 3, o.items
		o.items = it
		l := arena.New[label](a)
		l.key, l.value = arena.String(a, "colour"), arena.String(a, "green")
		e := arena.New[event](a)
		e.at, e.of, e.labels = int64(i), o, l
		lastEvent = e
	}
	lastEvent = nil
}

// slabs are the handles of the five types.
type slabs struct {
	customer *arena.Slab[customer]
	order    *arena.Slab[order]
	item     *arena.Slab[item]
	label    *arena.Slab[label]
	event    *arena.Slab[event]
}

func slabShop(a *arena.Arena, s *slabs) {
	var c *customer
	for i := range 200 {
		if i%10 == 0 {
			c = nil
		}
		next := s.customer.New()
		next.name, next.mail, next.id = arena.String(a, "Ada Lovelace"), arena.String(a, "ada@example.com"), i
		if c != nil {
			next.orders = c.orders
		}
		c = next
		o := s.order.New()
		o.next, o.buyer, o.total = c.orders, c, 3
		c.orders = o
		it := s.item.New()
		it.sku, it.price, it.next = arena.String(a, "4711-0815"), 3, o.items
		o.items = it
		l := s.label.New()
		l.key, l.value = arena.String(a, "colour"), arena.String(a, "green")
		e := s.event.New()
		e.at, e.of, e.labels = int64(i), o, l
		lastEvent = e
	}
	lastEvent = nil
}

func init() {
	cases["mixed/heap"] = repeat(heapShop)
	cases["mixed/New"] = func(n int) {
		a := arena.NewArena()
		for range n {
			newShop(a)
			a.Reset()
		}
	}
	cases["mixed/Slab"] = func(n int) {
		a := arena.NewArena()
		s := &slabs{
			arena.SlabOf[customer](a), arena.SlabOf[order](a), arena.SlabOf[item](a),
			arena.SlabOf[label](a), arena.SlabOf[event](a),
		}
		for range n {
			slabShop(a, s)
			a.Reset()
		}
	}
	cases["mixed/first use"] = repeat(func() { newShop(arena.NewArena()) })
}
