package gctune

import (
	"math"
	"testing"
	"time"
)

// costly is a demand that has seen cycles of .45 CPU-seconds in all end at 2 s,
// on two processors that allocate 100 MiB a second, given the CPU time that the
// system counts.
func costly(cycles uint64, cpu float64) (demand, observation) {
	o := observation{procs: 2, heap: heap{live: 100 << 20}}
	d := demand{}.learn(&o, defaultMaxGCCPU)
	o.now, o.cycles, o.allocs = 2*time.Second, cycles, 200<<20
	o.gcCPU, o.totalCPU, o.idleCPU, o.cpu = 0.45, 4, 2.55, cpu
	return d.learn(&o, defaultMaxGCCPU), o
}

// TestOthersCPUIsDiscounted gives the process a part of the CPU time that the
// runtime counts, 1.45 s, of which .45 s went into a collection.
func TestOthersCPUIsDiscounted(t *testing.T) {
	for name, tt := range map[string]struct{ cpu, cost float64 }{
		"unknown":      {0, 0.45},
		"all":          {1.45, 0.45},
		"of C threads": {3, 0.45},
		"nearly all":   {1.3, 0.45},
		"a third":      {1.45 / 3, 0.15},
	} {
		if d, _ := costly(1, tt.cpu); math.Abs(d.cost.median()*(100<<20)-tt.cost) > 1e-6 {
			t.Errorf("%s: a collection costs %.3f s, want %.3f", name, d.cost.median()*(100<<20), tt.cost)
		}
	}
}

// TestManyCyclesBetweenTwoObservations takes the cost of one, not of all, for that of
// the next.
func TestManyCyclesBetweenTwoObservations(t *testing.T) {
	if d, _ := costly(9, 0); math.Abs(d.newest*(100<<20)-0.05) > 1e-6 {
		t.Errorf("the last of nine cost %.3f s", d.newest*(100<<20))
	}
}

// TestRunway computes by hand: the cap pays for .5 s of CPU per second.
func TestRunway(t *testing.T) {
	d, o := costly(1, 0)
	for _, tt := range []struct{ cost, period float64 }{
		{0.45, fence.Seconds()},             // .495 s with the margin: one per window
		{0.2, fence.Seconds() / 2},          // .22 s: two
		{0.01, fence.Seconds() / 45},        // .011 s: 45
		{0.6, 0.66 / 0.5},                   // dearer than a window pays for
		{0.5 / costMargin, fence.Seconds()}, // just one
	} {
		marking := tt.cost * costMargin / 2
		want := max(tt.period, (tt.period-marking)*64/45) * (100 << 20)
		if got := d.runway(o.heap, o.procs, defaultMaxGCCPU, tt.cost/(100<<20)); math.Abs(float64(got)-want) > want/1000 {
			t.Errorf("a cycle of %v s asks for %d MiB, want %.0f", tt.cost, got>>20, want/(1<<20))
		}
	}
}
