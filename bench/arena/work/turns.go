package work

import (
	"bytes"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

// A Turn is a contestant that takes turns with others in one process.
type Turn struct {
	Name string
	Loop Loop
}

// turnsPayload holds the payload that all contestants of [InTurns] copy.
var turnsPayload [2 * page]byte

// InTurns prepares the contestants at a work of clones; nil for any other work.
// The contestants differ only in the allocator: they copy the same payload to
// the same offsets in their pages.
func InTurns(work string) []Turn {
	for _, w := range cloneWorks {
		if w.name == work {
			return clonesInTurns(w.count, w.size)
		}
	}
	return nil
}

func clonesInTurns(count, size int) []Turn {
	a := arena.NewArena()
	var low uintptr
	for range 3 { // rounds after which an arena has one chunk for all
		for range count {
			low = uintptr(unsafe.Pointer(unsafe.SliceData(arena.Bytes(a, make([]byte, size)))))
		}
		a.Reset()
	}
	total := count * size
	memory := placed(clonesArray[:], low, total)
	// After the copies, in the addresses' last 12 bits: a load need not wait for
	// a store that only looks as if it were to the same place.
	payload := placed(turnsPayload[:], low+uintptr(total), size)
	copy(payload, bytes.Repeat([]byte("payload."), size/8))
	return []Turn{
		{Floor, clonesByMemmove(count, payload, memory)},
		{Cursor, clonesByCursor(count, payload, memory)},
		{Handle, clonesByHandle(count, payload, memory)},
		{Ours, clonesInArena(a, count, payload)},
	}
}

// A cursor is the least by which a function can hand out memory: it lies in
// memory and not in the caller's registers, and it can be full.
type cursor struct {
	base unsafe.Pointer
	left uintptr
}

func newCursor(memory []byte) *cursor {
	return &cursor{unsafe.Pointer(unsafe.SliceData(memory)), uintptr(len(memory))}
}

// take returns n bytes. It is compiled into the caller, which the call of a
// function that is no parameter would prevent.
func (c *cursor) take(n int, full func(int) unsafe.Pointer) unsafe.Pointer {
	if left := c.left - uintptr(n); left < c.left {
		c.left = left
		return unsafe.Add(c.base, left)
	}
	return full(n)
}

//go:noinline
func clonesByCursor(count int, payload, memory []byte) Loop {
	c := newCursor(memory)
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				dst := unsafe.Slice((*byte)(c.take(len(payload), fromHeap)), len(payload))
				copy(dst, payload)
				keptClones[i] = dst
			}
			sum += checkClones(count)
			c.left = uintptr(len(memory))
		}
		return sum
	}
}

// A handle is the least by which users can hold memory that is freed and then
// used by others: it may be nil, and to free it is to give it a full cursor.
type handle struct{ cursor *cursor }

func (h *handle) take(n int, full func(int) unsafe.Pointer) unsafe.Pointer {
	if h != nil {
		if c := h.cursor; c.left-uintptr(n) < c.left {
			c.left -= uintptr(n)
			return unsafe.Add(c.base, c.left)
		}
	}
	return full(n)
}

//go:noinline
func clonesByHandle(count int, payload, memory []byte) Loop {
	h := &handle{newCursor(memory)}
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				dst := unsafe.Slice((*byte)(h.take(len(payload), fromHeap)), len(payload))
				copy(dst, payload)
				keptClones[i] = dst
			}
			sum += checkClones(count)
			h.cursor.left = uintptr(len(memory))
		}
		return sum
	}
}

//go:noinline
func fromHeap(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(make([]byte, n))) }
