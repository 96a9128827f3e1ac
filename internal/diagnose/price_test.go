package diagnose

import (
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules"
)

// Copies and the operations of maps are work on an object. The program's own work at the same
// lines, and allocating, are not.
func TestWorkOnObjects(t *testing.T) {
	const file = "ex.com/x/main.go"
	at := func(line string) string { return " main.f@" + file + ":" + line + " main.main@" + file + ":1" }
	cpu := profiletest.NewCPU().
		CPU(10, "internal/runtime/maps.h2@/go/src/internal/runtime/maps/group.go:1 runtime.mapassign_fast64@/go/src/runtime/map.go:1"+at("7")).
		CPU(5, "runtime.memmove@/go/src/runtime/memmove.s:1"+at("8")).
		CPU(20, "main.f@"+file+":7 main.main@"+file+":1").
		CPU(25, "runtime.memmove@/go/src/runtime/memmove.s:1"+at("9")).
		CPU(30, "runtime.mallocgc@/go/src/runtime/malloc.go:1 runtime.mapassign_fast64@/go/src/runtime/map.go:1"+at("7")).
		CPU(10, "main.g@"+file+":20"+at("8"))
	heap := profiletest.NewHeap(0).Heap(1000, 0, "main.f@"+file+":7 main.main@"+file+":1")
	all := evidence.NewProfiles(0)
	for name, p := range map[string]*profiletest.Profile{"cpu": cpu, "heap": heap} {
		if err := all.AddFile(p.File(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := evidence.New(t.Context(), all, nil, evidence.Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lines []int
		want  float64
	}{{nil, 0}, {[]int{7}, 0.1}, {[]int{7, 8}, 0.15}, {[]int{20}, 0}} {
		if got := workOnObjects(e, file, c.lines); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("lines %v: %v, want %v", c.lines, got, c.want)
		}
	}
	l := lineOf(e, &rules.Finding{Function: "main.f", File: file, Line: 7})
	if l.share != 1 || l.size <= 0 || math.Abs(l.work-0.3) > 1e-9 || l.estimate.High <= 0 {
		t.Errorf("%+v", l)
	}
}
