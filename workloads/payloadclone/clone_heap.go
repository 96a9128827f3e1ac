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

// keep returns b in memory that outlives free.
func (memory) keep(b []byte) []byte { return b }

// free ends all that came from this memory, except what was kept.
func (memory) free() {}
