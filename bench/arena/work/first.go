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
	add(FirstTree, Heap, func() Loop { return treeOnHeap })
	add(FirstSmall, Heap, func() Loop {
		fill, _ := smallOnHeap()
		return func(n int) (sum uint64) {
			for range n {
				sum += fill()
			}
			return sum
		}
	})
	add(FirstMixed, Heap, func() Loop { return mixedOnHeap })

	// The floor: the arrays of the works that recycle, new for each operation, and
	// of exactly the size that it needs.
	add(FirstTree, Floor, func() Loop { return remade(treeInArray) })
	add(FirstMixed, Floor, func() Loop { return remade(mixedInArrays) })
	add(FirstSmall, Floor, func() Loop {
		return func(n int) (sum uint64) {
			for range n {
				array := new([smallCount]small)
				for i := range array {
					sum += keptSmalls.put(i, &array[i])
				}
			}
			return sum
		}
	})

	addFirst(FirstTree, func(a *arena.Arena) uint64 {
		return growSlab(arena.NewSlab[node](a), treeDepth).count()
	})
	addFirst(FirstSmall, smallIn)
	addFirst(FirstMixed, mixedIn)
}

// addFirst adds both ways to end the arena in which do works.
func addFirst(work string, do func(*arena.Arena) uint64) {
	add(work, Ours, func() Loop {
		return func(n int) (sum uint64) {
			for range n {
				sum += do(arena.NewArena())
			}
			return sum
		}
	})
	add(work, Freed, func() Loop {
		pool := arena.Pool{Retain: -1}
		return func(n int) (sum uint64) {
			for range n {
				a := pool.Get()
				sum += do(a)
				a.Free()
			}
			return sum
		}
	})
}

// remade does every operation with memory that prepare makes for it alone.
func remade(prepare func() Loop) Loop {
	return func(n int) (sum uint64) {
		for range n {
			sum += prepare()(1)
		}
		return sum
	}
}
