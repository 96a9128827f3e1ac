package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

type order struct {
	next *order
	id   uint64
}

type reading struct{ at, value float64 }

// cell is a value in the memory of an arena.
type cell struct {
	kind string
	at   uintptr
	text string
}

// reuse draws the memory of two requests that use the same pool one after the
// other. A pointer that the first request kept refers to a value of the second,
// of the same type.
func reuse(context.Context, string) (string, error) {
	var pool arena.Pool
	request := func(n, orders, readings int) (cells []cell, kept *order) {
		a := pool.Get()
		defer a.Free()
		add := func(kind string, p unsafe.Pointer, i int) {
			cells = append(cells, cell{kind, uintptr(p), fmt.Sprintf("%d.%d", n, i+1)})
		}
		for i := range max(orders, readings) {
			if i < orders {
				o := arena.New[order](a)
				add("order: has a pointer", unsafe.Pointer(o), i)
				if i == 2 {
					kept = o
				}
			}
			if i < readings {
				add("reading: only numbers", unsafe.Pointer(arena.New[reading](a)), i)
			}
		}
		return cells, kept
	}
	first, kept := request(1, 8, 6)
	second, _ := request(2, 6, 8)
	stale := func(c cell) bool { return c.at == uintptr(unsafe.Pointer(kept)) }
	if !slices.ContainsFunc(second, stale) {
		return "", fmt.Errorf("the second request has no value at the address %p of the first", kept)
	}

	lowest := map[string]uintptr{}
	for _, c := range slices.Concat(first, second) {
		if low, ok := lowest[c.kind]; !ok || c.at < low {
			lowest[c.kind] = c.at
		}
	}
	const left, size, slot = 200.0, 74.0, unsafe.Sizeof(order{})
	const panel = 136.0
	d := &drawing{height: 2*panel + 110}
	d.text(20, 30, "title", "start", "Freed memory serves the next request, but only values of a compatible type")
	for i, request := range []struct {
		title, class string
		cells        []cell
	}{{"Request 1 allocates and keeps a pointer to 1.3", "first", first}, {"After Free, request 2 allocates: the stale pointer refers to an order of request 2", "second", second}} {
		y := 64 + float64(i)*(panel+14)
		d.text(20, y, "", "start", request.title)
		for j, kind := range slices.SortedFunc(maps.Keys(lowest), cmp.Compare) {
			y := y + 14 + 50*float64(j)
			d.text(20, y+24, "small", "start", kind)
			for _, c := range request.cells {
				if c.kind != kind {
					continue
				}
				x := left + size*float64((c.at-lowest[kind])/slot)
				d.rect(x, y, size-6, 36, "box")
				d.text(x+size/2-3, y+23, request.class, "middle", c.text)
				if stale(c) {
					d.rect(x-2, y+38, size-2, 4, "bad")
				}
			}
		}
	}
	d.rect(20, d.height-32, 30, 4, "bad")
	d.text(60, d.height-26, "small", "start", "the address that the pointer holds; each box is 16 bytes, at its offset in memory")
	return d.svg("The memory of two requests: a stale pointer refers to a value of its own type"), nil
}
