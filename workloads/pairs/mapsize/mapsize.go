// Package mapsize is a pair for the rule on maps without a size: two lists of
// prices are compared by article. Before, the map of the old list grows as it
// is filled; after, it is made for as many as there are.
package mapsize

type price struct {
	article uint64
	cents   int
}

// before returns how many prices rose and how many fell.
func before(old, current []price) (rose, fell int) {
	cents := make(map[uint64]int)
	for _, p := range old {
		cents[p.article] = p.cents // want: map-without-size
	}
	return changes(cents, current)
}

func after(old, current []price) (rose, fell int) {
	cents := make(map[uint64]int, len(old))
	for _, p := range old {
		cents[p.article] = p.cents
	}
	return changes(cents, current)
}

func changes(old map[uint64]int, current []price) (rose, fell int) {
	for _, p := range current {
		switch was, ok := old[p.article]; {
		case ok && p.cents > was:
			rose++
		case ok && p.cents < was:
			fell++
		}
	}
	return rose, fell
}
