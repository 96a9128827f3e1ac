package view

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Undecided returns why a gate decided nothing and what to do, or "" if it
// decided anything.
func Undecided(r *gate.Result) string {
	if !r.Undecided() {
		return ""
	}
	blocks, soonest, bounded := 0, r.Rows[0].MoreBlocks, false
	for _, row := range r.Rows {
		blocks, soonest = max(blocks, row.Blocks), min(soonest, row.MoreBlocks)
		bounded = bounded || row.Bounded()
	}
	measured := format.Plural(blocks, "block")
	switch {
	case soonest == 0: // a stored report, which more blocks do not help
		return "every benchmark allocates now more, now less than its budget allows; make them allocate the same in each run, or give a larger budget with -limits"
	case bounded:
		return "after " + measured + " every interval lies on both sides of its budget; give longer runs with -run-time, or more blocks with -blocks and -budget"
	}
	return fmt.Sprintf("no interval yet after %s, about %d more would decide something; give more with -blocks and -budget, or choose fewer benchmarks with -bench",
		measured, verdict.About(soonest))
}
