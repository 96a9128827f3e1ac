package work

import (
	"bytes"
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/valyala/bytebufferpool"

	"github.com/heapwright/heapwright/arena"
)

// Clones copy a payload some times, hold all copies and drop them.
const (
	Clones8x256 = "clones 8×256 B"
	Clones1x4K  = "clones 1×4 KiB"
	Clones32x4K = "clones 32×4 KiB"
)

// keptClones is global, so that the copies escape from every contestant.
var keptClones [32][]byte

// checkClones looks at the ends of each copy: to read it whole would be the
// larger part of the work.
func checkClones(count int) (sum uint64) {
	for _, c := range keptClones[:count] {
		sum += uint64(c[0]) + uint64(c[len(c)-1])<<8 + uint64(len(c))<<16
	}
	return sum
}

func init() {
	addCloner(Heap, clonesOnHeap)
	addCloner(Pool, clonesInPool)
	addCloner(Ristretto, clonesInRistretto)
	addCloner(ByteBuffer, clonesInByteBuffers)
	addCloner(Floor, clonesByMemmove)
	addCloner(Cursor, clonesByCursor)
	addCloner(Ours, clonesInArena)
}

// addCloner adds a contestant to all three works; cloner prepares count copies
// of a payload.
func addCloner(name string, cloner func(count int, payload []byte) Loop) {
	for _, w := range []struct {
		name        string
		count, size int
	}{{Clones8x256, 8, 256}, {Clones1x4K, 1, 4 << 10}, {Clones32x4K, 32, 4 << 10}} {
		add(w.name, name, func() Loop {
			return cloner(w.count, bytes.Repeat([]byte("payload."), w.size/8))
		})
	}
}

func clonesOnHeap(count int, payload []byte) Loop {
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				keptClones[i] = bytes.Clone(payload)
			}
			sum += checkClones(count)
		}
		return sum
	}
}

func clonesInPool(count int, payload []byte) Loop {
	pool := sync.Pool{New: func() any {
		b := make([]byte, len(payload))
		return &b
	}}
	var taken [len(keptClones)]*[]byte
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				taken[i] = pool.Get().(*[]byte)
				copy(*taken[i], payload)
				keptClones[i] = *taken[i]
			}
			sum += checkClones(count)
			for _, b := range taken[:count] {
				pool.Put(b)
			}
		}
		return sum
	}
}

func clonesInRistretto(count int, payload []byte) Loop {
	a := z.NewAllocator(count*len(payload), "clones")
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				keptClones[i] = a.Copy(payload)
			}
			sum += checkClones(count)
			a.Reset()
		}
		return sum
	}
}

func clonesInByteBuffers(count int, payload []byte) Loop {
	var taken [len(keptClones)]*bytebufferpool.ByteBuffer
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				taken[i] = bytebufferpool.Get()
				taken[i].Write(payload)
				keptClones[i] = taken[i].B
			}
			sum += checkClones(count)
			for _, b := range taken[:count] {
				bytebufferpool.Put(b)
			}
		}
		return sum
	}
}

func clonesInArena(count int, payload []byte) Loop {
	a := arena.NewArena()
	return func(n int) (sum uint64) {
		for range n {
			for i := range count {
				keptClones[i] = arena.Bytes(a, payload)
			}
			sum += checkClones(count)
			a.Reset()
		}
		return sum
	}
}

// clonesArray holds the copies of the floor, one after the other, from the
// first page boundary on: heaps and arenas begin there, and where source and
// destination lie within a page changes the time of a copy twofold.
var clonesArray [len(keptClones)*4<<10 + page]byte

const page = 4 << 10

func clonesByMemmove(count int, payload []byte) Loop {
	memory := clonesArray[-uintptr(unsafe.Pointer(&clonesArray))%page:]
	return func(n int) (sum uint64) {
		for range n {
			at := 0
			for i := range count {
				dst := memory[at : at+len(payload) : at+len(payload)]
				copy(dst, payload)
				keptClones[i] = dst
				at += len(payload)
			}
			sum += checkClones(count)
		}
		return sum
	}
}

// A cursor is the least by which a function can hand out memory: it lies in
// memory and not in the caller's registers, and it can be full.
type cursor struct {
	memory []byte
	used   int
}

func clonesByCursor(count int, payload []byte) Loop {
	c := &cursor{memory: clonesArray[-uintptr(unsafe.Pointer(&clonesArray))%page:]}
	return func(n int) (sum uint64) {
		for range n {
			for i := range count { // by hand, because it is beyond the inliner's budget
				var dst []byte
				if end := c.used + len(payload); end <= len(c.memory) {
					dst = c.memory[c.used:end:end]
					c.used = end
					copy(dst, payload)
				} else {
					dst = cloneElsewhere(payload)
				}
				keptClones[i] = dst
			}
			sum += checkClones(count)
			c.used = 0
		}
		return sum
	}
}

//go:noinline
func cloneElsewhere(b []byte) []byte { return bytes.Clone(b) }
