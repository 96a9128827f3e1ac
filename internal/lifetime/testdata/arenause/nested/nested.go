// Package nested keeps lists in structs within structs, beside the arenas of the lists.
package nested

import "github.com/heapwright/heapwright/arena"

type frame struct {
	mem  *arena.Arena
	list []float32
}

type world struct{ now, last frame }

func newWorld() *world {
	return &world{now: frame{mem: arena.NewArena()}, last: frame{mem: arena.NewArena()}}
}

func (w *world) close() {
	w.now.mem.Free()
	w.last.mem.Free()
}

func (w *world) spawn(x float32) {
	w.now.list = arena.Append(w.now.mem, w.now.list, x)
}

func (w *world) wrongTick() (sum float32) {
	w.now, w.last = w.last, w.now
	w.last.mem.Reset()
	for _, t := range w.last.list { // want `w.last.list is used after w.now.mem.Reset`
		sum += t
	}
	return sum
}

func (w *world) wrongSum() (sum float32) {
	w.last.mem.Reset()
	for _, t := range w.last.list { // want `w.last.list is used after w.last.mem.Reset`
		sum += t
	}
	return sum
}

func (w *world) rightTick() {
	w.now, w.last = w.last, w.now
	w.now.mem.Reset()
	w.now.list = arena.MakeSlice[float32](w.now.mem, 0, len(w.last.list))
	for _, t := range w.last.list {
		w.now.list = append(w.now.list, t)
	}
}

func (w *world) rightSum() (sum float32) {
	w.now.mem.Reset()
	for _, t := range w.last.list {
		sum += t
	}
	return sum
}

// The list of a page may lie on the heap.
type page struct {
	mem  *arena.Arena
	list []float32
}

type book struct{ page page }

func newBook(list []float32) *book {
	return &book{page{arena.NewArena(), list}}
}

func (b *book) fill(x float32) { b.page.list = arena.Append(b.page.mem, b.page.list, x) }

func (b *book) mixed() float32 {
	b.page.mem.Reset()
	return b.page.list[0]
}

func (b *book) close() { b.page.mem.Free() }
