//go:build goexperiment.arenas

package work

import "arena"

// Go's own arenas; a new one for each operation, as they have no other use.
func init() {
	add(Tree, GoArena, func() Loop { return treeInGoArena })
	addSmall(GoArena, smallInGoArena)
	add(Mixed, GoArena, func() Loop { return mixedInGoArena })
	add(FirstTree, GoArena, func() Loop { return treeInGoArena })
	add(FirstSmall, GoArena, func() Loop {
		fill, drop := smallInGoArena()
		return func(n int) (sum uint64) {
			for range n {
				sum += fill()
				drop()
			}
			return sum
		}
	})
	add(FirstMixed, GoArena, func() Loop { return mixedInGoArena })
	addCloner(GoArena, clonesInGoArena)
}

func treeInGoArena(n int) (sum uint64) {
	for range n {
		a := arena.NewArena()
		sum += growGoArena(a, treeDepth).count()
		a.Free()
	}
	return sum
}

func growGoArena(a *arena.Arena, depth int) *node {
	n := arena.New[node](a)
	if depth > 0 {
		n.left, n.right = growGoArena(a, depth-1), growGoArena(a, depth-1)
	}
	return n
}

func smallInGoArena() (func() uint64, func()) {
	var a *arena.Arena
	return func() (sum uint64) {
			a = arena.NewArena()
			for i := range smallCount {
				sum += keptSmalls.put(i, arena.New[small](a))
			}
			return sum
		}, func() {
			keptSmalls = smalls{} // the memory will fault
			a.Free()
		}
}

func mixedInGoArena(n int) (sum uint64) {
	for range n {
		a := arena.NewArena()
		for g := range mixedGroups {
			link(g, arena.New[order](a), arena.New[customer](a), arena.New[address](a),
				arena.New[item](a), arena.New[product](a))
		}
		sum += settle()
		a.Free()
	}
	return sum
}

func clonesInGoArena(count int, payload []byte) Loop {
	return func(n int) (sum uint64) {
		for range n {
			a := arena.NewArena()
			for i := range count {
				keptClones[i] = arena.MakeSlice[byte](a, len(payload), len(payload))
				copy(keptClones[i], payload)
			}
			sum += checkClones(count)
			clear(keptClones[:count]) // the memory will fault
			a.Free()
		}
		return sum
	}
}
