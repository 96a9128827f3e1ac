package gctune

import (
	"math"
	"testing"
	"time"
)

// costly is a demand that has seen one cycle of .45 CPU-seconds end at 2 s, on
// two processors that allocate 100 MiB a second, and that look.
func costly(cycles uint64) (demand, observation) {
	o := observation{procs: 2, heap: heap{live: 100 << 20}}
	d := demand{}.learn(&o, defaultMaxGCCPU)
	o.now, o.cycles, o.allocs = 2*time.Second, cycles, 200<<20
	o.gcCPU, o.totalCPU, o.idleCPU = 0.45, 4, 3
	return d.learn(&o, defaultMaxGCCPU), o
}

// TestTickDoesNotShortenTheWait looks again and again while the ledger makes
// the next cycle wait: the heap at which it may end stays where it was.
func TestTickDoesNotShortenTheWait(t *testing.T) {
	d, o := costly(1)
	// The budget of a second is .5: the next cycle has a window of its own, and
	// marks for a quarter of a second.
	ended, first := o.now, d.owed(&o, defaultMaxGCCPU)
	if want := uint64((fence.Seconds() - 0.25) * (100 << 20) * 64 / 45); first < want-want/100 || first > want+want/100 {
		t.Fatalf("at the cycle's end %d MiB are owed, want %d", first>>20, want>>20)
	}
	for o.now < ended+fence-50*time.Millisecond {
		o.now += 50 * time.Millisecond
		o.allocs += 5 << 20
		d = d.learn(&o, defaultMaxGCCPU)
		if owed := d.owed(&o, defaultMaxGCCPU); math.Abs(float64(owed)-float64(first)) > float64(first)/100 {
			t.Errorf("%v after the cycle %d MiB are owed, at its end %d", o.now-ended, owed>>20, first>>20)
		}
	}
	o.now = ended + fence
	if owed := d.owed(&o, defaultMaxGCCPU); owed != 0 {
		t.Errorf("when the wait is over %d MiB are owed", owed>>20)
	}
}

// TestManyCyclesBetweenTwoLooks takes the cost of one, not of all, for that of
// the next.
func TestManyCyclesBetweenTwoLooks(t *testing.T) {
	d, o := costly(9)
	if owed := d.owed(&o, defaultMaxGCCPU); d.paid.newest > 0.0501 || owed == 0 {
		t.Errorf("the last of nine cost %.3f s, %d MiB are owed", d.paid.newest, owed>>20)
	}
	d, o = costly(10) // .45 s and one more of .045 s fit
	if owed := d.owed(&o, defaultMaxGCCPU); owed != 0 {
		t.Errorf("%d MiB are owed with a cycle of %.3f s ahead", owed>>20, d.paid.newest)
	}
}

// TestOthersCPUIsDiscounted gives the process so much of the CPU that the
// runtime counts, 1.45 s, of which .45 s went into a collection.
func TestOthersCPUIsDiscounted(t *testing.T) {
	for name, tt := range map[string]struct {
		cpu       float64
		contended bool
		cost      float64 // CPU seconds of the next one, usually
	}{
		"unknown":         {0, false, 0.45},
		"all":             {1.45, false, 0.45},
		"of C threads":    {3, false, 0.45},
		"nearly all":      {1.3, false, 0.45},
		"a third":         {1.45 / 3, true, 0.15},
		"next to nothing": {1e-3, true, 0.45 / 16},
	} {
		t.Run(name, func(t *testing.T) {
			o := observation{procs: 2, heap: heap{live: 100 << 20}}
			d := demand{}.learn(&o, defaultMaxGCCPU)
			o.now, o.cycles, o.allocs = 2*time.Second, 1, 200<<20
			o.gcCPU, o.totalCPU, o.idleCPU, o.cpu = 0.45, 4, 2.55, tt.cpu
			d = d.learn(&o, defaultMaxGCCPU)
			if d.contended() != tt.contended {
				t.Errorf("contended is %v", !tt.contended)
			}
			want, _ := demand{cost: figure{}.learn(tt.cost / (100 << 20)), rate: d.rate}.runway(o.heap, 2, defaultMaxGCCPU)
			ample, usual := d.runway(o.heap, 2, defaultMaxGCCPU)
			if math.Abs(float64(usual)-float64(want)) > 1 {
				t.Errorf("the usual runway is %d MiB, want %d", usual>>20, want>>20)
			}
			if ample < usual || ample < 100<<20 {
				t.Errorf("%d MiB are ample, %d usual", ample>>20, usual>>20)
			}
		})
	}
}
