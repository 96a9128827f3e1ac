package work

import (
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/heapwright/heapwright/arena"
)

// Small makes objects without pointers, writes and reads each, holds them all
// and drops them. SmallWalked also reads them all again before. SmallClear is
// the part of it that zero values cost and nothing avoids: clearing the memory.
const (
	Small       = "small"
	SmallWalked = "small, walked"
	SmallClear  = "small, cleared only"
)

const smallCount = 1000

// small is 64 bytes, of which the work writes the first and the last word and
// relies on zeros in between.
type small [8]uint64

func (p *small) check() uint64 { return p[0] + p[4] + p[7] }

// smalls holds the objects of one operation.
type smalls [smallCount]*small

func (all *smalls) put(i int, p *small) uint64 {
	p[0], p[7] = uint64(i), 1
	all[i] = p
	return p.check()
}

func (all *smalls) walk() (sum uint64) {
	for _, p := range all {
		sum += p.check()
	}
	return sum
}

// keptSmalls is global, so that the objects escape from every contestant.
var keptSmalls smalls

func init() {
	addSmall(Heap, smallOnHeap)
	addSmall(Pool, smallInPool)
	addSmall(Ristretto, smallInRistretto)
	addSmall(Floor, smallInArray)
	addSmall(Cleared, smallInClearedArray)
	addSmall(ClearedEach, smallInArrayClearedEach)
	add(SmallClear, Floor, func() Loop { return looped(clearSmallArray) })
	addSmall(Slab, smallInSlab)
	addSmall(Ours, func() (func() uint64, func()) {
		a := arena.NewArena()
		return func() uint64 { return smallIn(a) }, a.Reset
	})
}

// addSmall adds a contestant to both works. prepare returns a function that makes
// the objects and one that drops them.
func addSmall(name string, prepare func() (fill func() uint64, drop func())) {
	add(Small, name, func() Loop { return filled(prepare, func() uint64 { return 0 }) })
	add(SmallWalked, name, func() Loop { return filled(prepare, keptSmalls.walk) })
}

// filled makes the objects, does something with them and drops them.
func filled(prepare func() (fill func() uint64, drop func()), then func() uint64) Loop {
	fill, drop := prepare()
	return looped(func() uint64 {
		sum := fill() + then()
		drop()
		return sum
	})
}

func smallOnHeap() (func() uint64, func()) {
	return func() (sum uint64) {
		for i := range smallCount {
			sum += keptSmalls.put(i, new(small))
		}
		return sum
	}, func() {}
}

func smallIn(a *arena.Arena) (sum uint64) {
	for i := range smallCount {
		sum += keptSmalls.put(i, arena.New[small](a))
	}
	return sum
}

func smallInSlab() (func() uint64, func()) {
	a := arena.NewArena()
	s := arena.NewSlab[small](a)
	return func() (sum uint64) {
		for i := range smallCount {
			sum += keptSmalls.put(i, s.New())
		}
		return sum
	}, a.Reset
}

var smallPool = sync.Pool{New: func() any { return new(small) }}

func smallInPool() (func() uint64, func()) {
	return func() (sum uint64) {
			for i := range smallCount {
				sum += keptSmalls.put(i, smallPool.Get().(*small))
			}
			return sum
		}, func() {
			for _, p := range keptSmalls {
				*p = small{}
				smallPool.Put(p)
			}
		}
}

func smallInRistretto() (func() uint64, func()) {
	a := z.NewAllocator(smallCount*int(unsafe.Sizeof(small{})), Small)
	return func() (sum uint64) {
		for i := range smallCount {
			b := a.AllocateAligned(int(unsafe.Sizeof(small{})))
			sum += keptSmalls.put(i, (*small)(unsafe.Pointer(unsafe.SliceData(b))))
		}
		return sum
	}, a.Reset
}

// The floor: a static array and an integer.
var (
	smallArray [smallCount]small
	smallUsed  int
)

func smallInArray() (func() uint64, func()) {
	return func() (sum uint64) {
		smallUsed = 0
		for i := range smallCount {
			p := &smallArray[smallUsed]
			smallUsed++
			sum += keptSmalls.put(i, p)
		}
		return sum
	}, func() {}
}

func smallInClearedArray() (func() uint64, func()) {
	fill, _ := smallInArray()
	return fill, func() { clear(smallArray[:smallUsed]) }
}

func smallInArrayClearedEach() (func() uint64, func()) {
	return func() (sum uint64) {
		smallUsed = 0
		for i := range smallCount {
			p := &smallArray[smallUsed]
			smallUsed++
			*p = small{}
			sum += keptSmalls.put(i, p)
		}
		return sum
	}, func() {}
}

func clearSmallArray() uint64 {
	clear(smallArray[:])
	return 1 + smallArray[0].check()
}
