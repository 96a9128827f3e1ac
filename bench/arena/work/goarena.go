//go:build goexperiment.arenas

package work

import "arena"

// Go's own arenas; a new one for each operation, as they have no other use.
func init() {
	for _, work := range []string{Tree, FirstTree} {
		add(work, GoArena, func() Loop {
			return inGoArena(func(a *arena.Arena) uint64 { return growGoArena(a, treeDepth).count() })
		})
	}
	addSmall(GoArena, smallInGoArena)
	add(FirstSmall, GoArena, func() Loop { return filled(smallInGoArena, func() uint64 { return 0 }) })
	for _, work := range []string{Mixed, FirstMixed} {
		add(work, GoArena, func() Loop { return inGoArena(mixedInGoArena) })
	}
	addCloner(GoArena, clonesInGoArena)
}

func inGoArena(once func(*arena.Arena) uint64) Loop {
	return looped(func() uint64 {
		a := arena.NewArena()
		defer a.Free()
		return once(a)
	})
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

func mixedInGoArena(a *arena.Arena) uint64 {
	for g := range mixedGroups {
		link(g, arena.New[order](a), arena.New[customer](a), arena.New[address](a),
			arena.New[item](a), arena.New[product](a))
	}
	return settle()
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
