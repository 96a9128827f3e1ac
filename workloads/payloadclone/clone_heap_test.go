//go:build !goexperiment.arenas && !slabarena

package main

import "testing"

// The workload would lose its point if a compiler learned to keep the clones
// on the stack.
func TestClonesEscape(t *testing.T) {
	const clones = 32
	s := &replicator{clones: clones}
	request := payload(1024)
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := s.replicate(request, memory{}); err != nil {
			t.Fatal(err)
		}
	})
	if allocs < 4*clones {
		t.Errorf("%v allocations for %d clones of 4 objects", allocs, clones)
	}
}
