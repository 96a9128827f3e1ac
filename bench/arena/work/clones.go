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

// cloneWorks are the works and their copies.
var cloneWorks = []struct {
	name        string
	count, size int
}{{Clones8x256, 8, 256}, {Clones1x4K, 1, 4 << 10}, {Clones32x4K, 32, 4 << 10}}

func init() {
	addCloner(Heap, clonesOnHeap)
	addCloner(Pool, clonesInPool)
	addCloner(Ristretto, clonesInRistretto)
	addCloner(ByteBuffer, clonesInByteBuffers)
	addCloner(Floor, func(count int, payload []byte) Loop {
		return clonesByMemmove(count, payload, placed(clonesArray[:], 0, count*len(payload)))
	})
	addCloner(Ours, func(count int, payload []byte) Loop {
		return clonesInArena(arena.NewArena(), count, payload)
	})
}

// addCloner adds a contestant to all three works; cloner prepares count copies
// of a payload.
func addCloner(name string, cloner func(count int, payload []byte) Loop) {
	for _, w := range cloneWorks {
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

// clonesInArena is not inlined, nor is any other contestant that takes turns: in
// an inlined copy of its closure the compiler would not inline the callees.
//
//go:noinline
func clonesInArena(a *arena.Arena, count int, payload []byte) Loop {
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

// clonesArray holds the copies of the floors, one after the other.
var clonesArray [len(keptClones)*4<<10 + page]byte

const page = 4 << 10

// placed returns n bytes of an array that is at least a page longer, as far
// from the beginning of a page as an address: where source and destination lie
// within a page changes the time of a copy twofold.
func placed(array []byte, address uintptr, n int) []byte {
	at := (address - uintptr(unsafe.Pointer(unsafe.SliceData(array)))) % page
	return array[at:][:n:n]
}

// clonesByMemmove copies to one place after the other: no more is done by a
// program that knows all of them before.
//
//go:noinline
func clonesByMemmove(count int, payload, memory []byte) Loop {
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
