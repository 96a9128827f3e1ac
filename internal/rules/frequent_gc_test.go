package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

func TestFrequentGC(t *testing.T) {
	t.Run("small heap", func(t *testing.T) {
		s := newScene(t, nodes)
		s.churn("runtime.newobject", s.frame("load", "head = &node"))
		f := s.wants("frequent-gc", "")
		// 64 MB a goal of 4 MiB can be raised 16-fold.
		has(t, f.Remedy, "heap floor of 64 MiB, or GOGC=1600 with GOMEMLIMIT=128MiB")
		has(t, f.Example, "MinHeap: 64 << 20")
		if f.File != "" || f.CPU.High < 0.2 {
			t.Errorf("%q, %+v", f.File, f.CPU)
		}
	})
	// 10 GB may live: a memory limit for a small heap would end that program.
	t.Run("no heap profile", func(t *testing.T) {
		s := newScene(t, nodes)
		s.churn("runtime.newobject", s.frame("load", "head = &node"))
		s.heaps = nil
		s.wantsNone("frequent-gc")
		allocs := profiletest.NewHeap(0)
		allocs.DurationNanos = 30e9
		s.heaps = []*profiletest.Profile{allocs.Heap(1e6, 0, s.frame("load", "head = &node")+start)}
		s.wantsNone("frequent-gc")
	})
	t.Run("large heap", func(t *testing.T) {
		s := newScene(t, nodes)
		s.heaps[0].Heap(2e6, 1e6, s.frame("load", "head = &node")+start)
		s.wantsNone("frequent-gc")
	})
	t.Run("idle collector", func(t *testing.T) {
		s := newScene(t, nodes)
		s.cpu = profiletest.NewCPU().CPU(1, profiletest.Worker).CPU(99, start)
		s.wantsNone("frequent-gc")
	})
}

// A heap of 64 MB that is collected whenever it has grown by a fifth.
func TestFrequentGCOfALargeHeap(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	heap, cpu := profiletest.NewHeap(0).Heap(2e6, 1e6, stack).File(t, "heap"), profiletest.NewCPU().CPU(30, profiletest.Worker).CPU(70, stack).File(t, "cpu")
	for goal, want := range map[float64]bool{0: false, 76.8e6: true, 128e6: false, 150e6: false} {
		found := findFrequentGC(built(t, evidence.Runtime{Goal: evidence.Known{Value: goal, OK: goal > 0}, Percent: known(20)}, heap, cpu), nil)
		if len(found) > 0 != want {
			t.Errorf("goal %.0f: %+v", goal, found)
			continue
		}
		if want {
			has(t, found[0].Remedy, "GOGC=100, the default, with GOMEMLIMIT=153MiB")
			has(t, found[0].Remedy, "80% fewer collections")
		}
	}
}
