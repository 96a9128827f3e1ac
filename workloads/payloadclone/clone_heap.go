//go:build !goexperiment.arenas && !slabarena

package main

import "slices"

// where names the memory that clones live in.
const where = "the heap"

// memory is where the clones of one request live. This one leaves all to the
// collector.
type memory struct{}

func newMemory() memory { return memory{} }

// records returns n nil records.
func (memory) records(n int) []*record { return make([]*record, n) }

// clone copies a record and all that it can change.
func (memory) clone(r *record) *record {
	c := *r
	c.payload = slices.Clone(r.payload)
	if r.origin != nil {
		o := *r.origin
		c.origin = &o
	}
	c.labels = slices.Clone(r.labels)
	return &c
}

// bytes returns a copy of b.
func (memory) bytes(b []byte) []byte { return slices.Clone(b) }

// free ends all that came from this memory.
func (memory) free() {}
