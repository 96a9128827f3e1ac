//go:build !goexperiment.arenas && !slabarena

package main

import "slices"

// where says what memory holds the clones in.
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
	o := *r.origin
	c.origin = &o
	c.labels = slices.Clone(r.labels)
	return &c
}

// bytes returns a copy of b.
func (memory) bytes(b []byte) []byte { return slices.Clone(b) }

// free ends all that came from this memory.
func (memory) free() {}
