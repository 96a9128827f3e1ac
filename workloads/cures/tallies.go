package cures

import "github.com/heapwright/heapwright/workloads/program/cure"

// tallies counts the items of a request by kind. The faulty one makes a map for
// each request; the cured one clears the previous map.
type tallies struct {
	items  []uint32
	counts map[uint32]int
	most   int
}

func newTallies() *tallies {
	t := &tallies{counts: map[uint32]int{}}
	x := uint32(1)
	for range 512 {
		x = x*1664525 + 1013904223 // Numerical Recipes, "quick and dirty" generator
		t.items = append(t.items, x>>24)
	}
	return t
}

func (t *tallies) tally() {
	if cure.Cured {
		clear(t.counts)
		for _, item := range t.items {
			t.counts[item]++
		}
	} else {
		t.counts = map[uint32]int{}
		for _, item := range t.items {
			faultyCount(t.counts, item)
		}
	}
	for _, n := range t.counts {
		t.most = max(t.most, n)
	}
}

func faultyCount(counts map[uint32]int, item uint32) { counts[item]++ }
