package work

import (
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/heapwright/heapwright/arena"
)

// Small makes objects without pointers, holds them all, sums them up and drops
// them.
const Small = "small"

const smallCount = 1000

// small is 64 bytes, of which the work writes the first and the last word and
// relies on zeros in between.
type small [8]uint64

// smalls holds the objects of one operation.
type smalls [smallCount]*small

func (all *smalls) put(i int, p *small) {
	p[0], p[7] = uint64(i), 1
	all[i] = p
}

func (all *smalls) sum() (sum uint64) {
	for _, p := range all {
		sum += p[0] + p[4] + p[7]
	}
	return sum
}

// keptSmalls is global, so that the objects escape from every contestant.
var keptSmalls smalls

func init() {
	add(Small, Heap, func() Loop { return smallOnHeap })
	add(Small, Pool, func() Loop { return smallInPool })
	add(Small, Ristretto, smallInRistretto)
	add(Small, Floor, func() Loop { return smallInArray })
	add(Small, Cleared, func() Loop { return smallInClearedArray })
	add(Small, Slab, func() Loop {
		a := arena.NewArena()
		s := arena.SlabOf[small](a)
		return func(n int) (sum uint64) {
			for range n {
				for i := range smallCount {
					keptSmalls.put(i, s.New())
				}
				sum += keptSmalls.sum()
				a.Reset()
			}
			return sum
		}
	})
	add(Small, Ours, func() Loop {
		a := arena.NewArena()
		return func(n int) (sum uint64) {
			for range n {
				for i := range smallCount {
					keptSmalls.put(i, arena.New[small](a))
				}
				sum += keptSmalls.sum()
				a.Reset()
			}
			return sum
		}
	})
}

func smallOnHeap(n int) (sum uint64) {
	for range n {
		for i := range smallCount {
			keptSmalls.put(i, new(small))
		}
		sum += keptSmalls.sum()
	}
	return sum
}

var smallPool = sync.Pool{New: func() any { return new(small) }}

func smallInPool(n int) (sum uint64) {
	for range n {
		for i := range smallCount {
			keptSmalls.put(i, smallPool.Get().(*small))
		}
		sum += keptSmalls.sum()
		for _, p := range keptSmalls {
			*p = small{}
			smallPool.Put(p)
		}
	}
	return sum
}

func smallInRistretto() Loop {
	a := z.NewAllocator(smallCount*int(unsafe.Sizeof(small{})), Small)
	return func(n int) (sum uint64) {
		for range n {
			for i := range smallCount {
				b := a.AllocateAligned(int(unsafe.Sizeof(small{})))
				keptSmalls.put(i, (*small)(unsafe.Pointer(unsafe.SliceData(b))))
			}
			sum += keptSmalls.sum()
			a.Reset()
		}
		return sum
	}
}

var (
	smallArray [smallCount]small
	smallUsed  int
)

func fillSmallArray() uint64 {
	smallUsed = 0
	for i := range smallCount {
		p := &smallArray[smallUsed]
		smallUsed++
		keptSmalls.put(i, p)
	}
	return keptSmalls.sum()
}

func smallInArray(n int) (sum uint64) {
	for range n {
		sum += fillSmallArray()
	}
	return sum
}

func smallInClearedArray(n int) (sum uint64) {
	for range n {
		sum += fillSmallArray()
		clear(smallArray[:smallUsed])
	}
	return sum
}
