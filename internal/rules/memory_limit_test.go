package rules

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// spiral is a live heap of 64 MB under a heap goal, with a collector that takes 80 of
// 100 samples. The runtime has 10 MB beside the heap.
func spiral(t *testing.T, goal float64, counts evidence.Counts) *evidence.Evidence {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	heap := profiletest.NewHeap(0).Heap(2e6, 1e6, stack).File(t, "heap")
	cpu := profiletest.NewCPU().CPU(80, profiletest.Worker).CPU(10, profiletest.Malloc+stack).CPU(10, stack).File(t, "cpu")
	rt := evidence.Runtime{Goal: known(goal), Recent: counts, Sys: known(90e6), Idle: known(4e6), Objects: known(76e6)}
	return built(t, rt, heap, cpu)
}

func TestMemoryLimit(t *testing.T) {
	counts := evidence.Counts{Cycles: known(300), Forced: known(0), Allocated: known(300e6)}
	t.Run("goal below the live heap", func(t *testing.T) {
		found, _ := Find(spiral(t, 60e6, counts))
		f := found[0]
		if f.Rule != "memory-limit" || f.Confidence != evidence.High || f.CPU.Low < 0.5 {
			t.Fatalf("%+v", f)
		}
		has(t, f.Title, "collecting takes 80% of CPU: the memory limit leaves it no room")
		// 1 MB between two collections is 80% of CPU time; 76 MB are 5%, of which
		// GOGC=100 grants 64.
		has(t, f.Remedy, "Raise GOMEMLIMIT")
		has(t, f.Remedy, "144MiB")
		for _, other := range found[1:] {
			if other.CPU.High > f.CPU.Low {
				t.Errorf("%s", describe(other))
			}
		}
	})
	// Between two collections 1 MB is allocated: no GOGC is so small, whatever an older
	// heap profile says of the live heap.
	t.Run("collections that follow each other at once", func(t *testing.T) {
		found, _ := Find(spiral(t, 70e6, counts))
		has(t, found[0].Title, "the memory limit leaves it no room")
	})
	t.Run("goal close above", func(t *testing.T) {
		found, _ := Find(spiral(t, 70e6, evidence.Counts{Cycles: known(300), Forced: known(0), Allocated: known(300 * 5.5e6)}))
		has(t, found[0].Remedy, "If a memory limit keeps the goal down")
		has(t, found[0].Remedy, "If GOGC is about")
	})
	t.Run("published limit", func(t *testing.T) {
		e := spiral(t, 70e6, counts)
		e.Runtime.Limit = known(80e6)
		found := findMemoryLimit(e, nil)
		if len(found) != 1 || strings.Contains(found[0].Remedy, "If GOGC") || !strings.Contains(found[0].Remedy, "from about 76MiB") {
			t.Errorf("%+v", found)
		}
	})
	t.Run("small GOGC", func(t *testing.T) {
		e := spiral(t, 76.8e6, evidence.Counts{Cycles: known(300), Forced: known(0), Allocated: known(300 * 12.8e6)})
		e.Runtime.Percent = known(20)
		if found := findMemoryLimit(e, nil); len(found) > 0 {
			t.Errorf("%+v", found)
		}
		if found := findFrequentGC(e, nil); len(found) != 1 || !strings.Contains(found[0].Remedy, "Set GOGC=100") {
			t.Errorf("%+v", found)
		}
	})
}

func TestMemoryLimitOfHealthyPrograms(t *testing.T) {
	far := evidence.Counts{Cycles: known(30), Forced: known(0), Allocated: known(30 * 60e6)}
	for name, e := range map[string]*evidence.Evidence{
		"GOGC=100":         spiral(t, 128e6, far),
		"a shrunken heap":  spiral(t, 70e6, far), // the live heap is of an old collection
		"forced, not full": spiral(t, 128e6, evidence.Counts{Cycles: known(30), Forced: known(30), Allocated: known(30e6)}),
	} {
		if found := findMemoryLimit(e, nil); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
