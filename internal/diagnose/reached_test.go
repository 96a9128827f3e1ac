package diagnose

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
)

// A finding names the benchmarks that reach its line, the most reached first, then those that
// only reach its function.
func TestReached(t *testing.T) {
	const (
		line      = "example.org/app.f@/src/app/x.go:3 "
		other     = "example.org/app.f@/src/app/x.go:8 "
		elsewhere = "example.org/app.g@/src/app/x.go:3 "
		root      = "example.org/app.Root@/src/app/x.go:30 "
	)
	record := func(name string, cpu *profiletest.Profile, heap *profiletest.Profile) experiment.Recording {
		return experiment.Recording{
			Key: sample.Key{Benchmark: name}, CPU: []string{cpu.File(t, name+"-cpu")}, Heap: []string{heap.File(t, name+"-heap")},
		}
	}
	idle := profiletest.NewHeap(0).Heap(10, 0, elsewhere+profiletest.Main)
	all := []experiment.Recording{
		record("None", profiletest.NewCPU().CPU(50, elsewhere+profiletest.Main), idle),
		record("Function", profiletest.NewCPU().CPU(50, other+profiletest.Main), idle),
		record("Some", profiletest.NewCPU().CPU(40, elsewhere+profiletest.Main).CPU(10, line+line+profiletest.Main), idle),
		record("Most", profiletest.NewCPU().CPU(40, elsewhere+profiletest.Main).CPU(1, line+root+profiletest.Main),
			profiletest.NewHeap(0).Heap(10, 0, line+root+profiletest.Main)),
	}
	findings := []rules.Finding{
		{Function: "example.org/app.f", File: "/src/app/x.go", Line: 3, Others: []rules.Finding{{Function: "example.org/app.g", Line: 3}}},
		{Function: "example.org/app.never", Line: 3},
		{Function: "example.org/app.f", Line: 3, Root: &evidence.Frame{Function: "example.org/app.Root", Line: 29}},
	}
	addReached(all, findings)
	for i, want := range [][]string{{"Most", "Some", "Function"}, nil, {"Most"}} {
		var got []string
		for _, k := range findings[i].Benchmarks {
			got = append(got, k.Benchmark)
		}
		if !slices.Equal(got, want) {
			t.Errorf("finding %d is reached by %q, want %q", i, got, want)
		}
	}
	if got := findings[0].Others[0].Benchmarks; len(got) != 4 || got[0].Benchmark != "None" {
		t.Errorf("another finding of the line is reached by %v", got)
	}
}

// One benchmark needs no choice, and a profile that cannot be read leaves it open.
func TestReachedUnknown(t *testing.T) {
	findings := []rules.Finding{{Function: "f"}}
	addReached([]experiment.Recording{{CPU: []string{"missing"}}, {}}, findings)
	addReached([]experiment.Recording{{}}, findings)
	if findings[0].Benchmarks != nil {
		t.Error(findings[0].Benchmarks)
	}
}
