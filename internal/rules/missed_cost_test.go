package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A CPU profile alone tells where the time of the runtime goes.
func TestCostsWithoutSource(t *testing.T) {
	cpu := profiletest.NewCPU().CPU(47, start).CPU(19, profiletest.Worker).
		CPU(34, "runtime.mmap@/go/src/runtime/sys.s:1 runtime.sysMap@/go/src/runtime/mem.go:1 runtime.(*mheap).grow@/go/src/runtime/mheap.go:1 "+profiletest.Malloc+start)
	findings, _ := Find(built(t, evidence.Runtime{}, cpu.File(t, "cpu")))
	want := map[string]bool{"page-faults": true, "collecting": true}
	for _, f := range findings {
		if want[f.Rule] && (f.File != "" || f.CPU.High <= 0.05 || len(f.Evidence) == 0) {
			t.Errorf("%+v", f)
		}
		delete(want, f.Rule)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

// An idle service has one line that holds nearly everything. It is named, and
// promises nothing.
func TestLargeHolder(t *testing.T) {
	s := newScene(t, stores)
	s.heaps = nil
	for i := range int64(5) {
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(1e6, 92e4, s.frame("open", "s := &session")+start).Heap(1e6+10*i, 8e4, start))
	}
	s.cpu = profiletest.NewCPU()
	for _, f := range s.find() {
		if f.Rule == "large-holder" {
			has(t, f.Title, "holds 92% of the live heap")
			if f.Ceiling() != 0 || f.Source == "" {
				t.Errorf("%+v", f)
			}
			return
		}
	}
	t.Error("not found")
}

// The content of a bounded map does not grow: the map is a holder, not a leak.
func TestSteadyCacheIsNoLeak(t *testing.T) {
	for name, live := range map[string][]int64{
		"constant": {4e5, 4e5, 4e5, 4e5, 4e5, 4e5},
		"swings":   {4e5, 5e5, 3e5, 5e5, 4e5, 5e5},
		"fills":    {1e5, 2e5, 4e5, 4e5, 4e5, 4e5, 4e5},
		"once":     {1e5, 4e5},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, stores)
			s.heaps = nil
			for i, n := range live {
				s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(1e6+int64(i)*1e5, n, s.frame("open", "s := &session")+start))
			}
			s.wantsNone("unbounded-growth")
		})
	}
}
