// Package unique is a pair for maps that only remove duplicates: the followers of a
// list of accounts are merged. Before, a map has the ones that were seen; after, a
// slice that is kept is sorted, and duplicates are neighbours.
package unique

import "slices"

// merge appends the distinct followers of some accounts, sorted.
type merge func(to []uint32, followers [][]uint32) []uint32

func before(to []uint32, followers [][]uint32) []uint32 {
	seen := map[uint32]struct{}{}
	for _, list := range followers {
		for _, f := range list {
			seen[f] = struct{}{}
		}
	}
	from := len(to)
	for f := range seen {
		to = append(to, f)
	}
	slices.Sort(to[from:])
	return to
}

func after(to []uint32, followers [][]uint32) []uint32 {
	from := len(to)
	for _, list := range followers {
		to = append(to, list...)
	}
	slices.Sort(to[from:])
	return to[:from+len(slices.Compact(to[from:]))]
}
