package work

import "github.com/heapwright/heapwright/arena"

// First are the works done in an arena that has nothing to recycle: a new one
// for each operation, dropped without Free (the contestant Ours) or
// freed into a pool that keeps nothing (Freed).
const (
	FirstTree  = "first tree"
	FirstSmall = "first small"
	FirstMixed = "first mixed"
)

func init() {
	add(FirstTree, Heap, treeOnHeap)
	add(FirstSmall, Heap, func() Loop { return filled(smallOnHeap, func() uint64 { return 0 }) })
	add(FirstMixed, Heap, mixedOnHeap)

	// The floor: the arrays of the works that recycle, new for each operation, and
	// of exactly the size that it needs.
	add(FirstTree, Floor, func() Loop { return looped(func() uint64 { return treeInArray()(1) }) })
	add(FirstMixed, Floor, func() Loop { return looped(func() uint64 { return mixedInArrays()(1) }) })
	add(FirstSmall, Floor, func() Loop {
		return looped(func() (sum uint64) {
			array := new([smallCount]small)
			for i := range array {
				sum += keptSmalls.put(i, &array[i])
			}
			return sum
		})
	})

	addFirst(FirstTree, func(a *arena.Arena) uint64 {
		return growSlab(arena.NewSlab[node](a), treeDepth).count()
	})
	addFirst(FirstSmall, smallIn)
	addFirst(FirstMixed, mixedIn)
}

// addFirst adds both ways to end the arena in which do works.
func addFirst(work string, do func(*arena.Arena) uint64) {
	add(work, Ours, func() Loop { return looped(func() uint64 { return do(arena.NewArena()) }) })
	add(work, Freed, func() Loop {
		pool := arena.Pool{Retain: -1}
		return looped(func() uint64 {
			a := pool.Get()
			sum := do(a)
			a.Free()
			return sum
		})
	})
}
