package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// built reads files and builds evidence without source.
func built(t testing.TB, rt Runtime, files ...string) *Evidence {
	t.Helper()
	all := NewProfiles(0)
	for _, f := range files {
		if err := all.AddFile(f); err != nil {
			t.Fatal(err)
		}
	}
	e, err := New(t.Context(), all, nil, rt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A site is the innermost line of the program's own code, whatever lies below.
func TestSites(t *testing.T) {
	heap := profiletest.NewHeap(0).
		Heap(1000, 0, "fmt.Sprintf@/go/src/fmt/print.go:5 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+profiletest.Main).
		Heap(500, 500, "example.org/app.load@/src/app/load.go:3"+profiletest.Main).
		Heap(10, 0, "net/http.(*conn).serve@/go/src/net/http/server.go:8 runtime.goexit@/go/src/runtime/asm.s:1").
		File(t, "heap")
	cpu := profiletest.NewCPU().
		CPU(20, profiletest.Malloc+"fmt.Sprintf@/go/src/fmt/print.go:5 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+profiletest.Main).
		CPU(30, "fmt.Sprintf@/go/src/fmt/print.go:6 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+profiletest.Main).
		CPU(10, profiletest.Worker).
		CPU(40, "example.org/app.work@/src/app/work.go:1"+profiletest.Main).
		File(t, "cpu")
	e := built(t, Runtime{}, heap, cpu)
	if len(e.Sites) != 3 {
		t.Fatalf("%d sites: %+v", len(e.Sites), e.Sites)
	}
	s := e.Sites[0]
	if s.Function != "example.org/app.serve" || s.Line != 12 {
		t.Errorf("the first site is %s:%d", s.Function, s.Line)
	}
	if math.Abs(s.Total-0.5) > 1e-9 {
		t.Errorf("the line takes %v of CPU, want 0.5", s.Total)
	}
	if share, ok := s.Survival(); !ok || share != 0 {
		t.Errorf("survival %v, %v", share, ok)
	}
	if len(s.Below) == 0 || s.Below[0].Function != "fmt.Sprintf" && s.Below[0].Function != "example.org/lib.F" {
		t.Errorf("below it: %+v", s.Below)
	}
	// It has 20 of 100 samples of allocating, 30 of formatting a text that goes with
	// its allocations, and two thirds of the bytes that another 10 are spent on.
	if s.CPU.Low > 0.45 || s.CPU.High < 0.55 || s.CPU.Low < 0.3 || s.CPU.High > 0.85 {
		t.Errorf("ceiling %+v", s.CPU)
	}
	if m := e.Sites[1].Memory; e.Sites[1].Function != "example.org/app.load" || m.High != 1 {
		t.Errorf("%s has %+v of the live heap", e.Sites[1].Function, m)
	}
	i := slices.IndexFunc(s.Below, func(c Callee) bool { return c.Function == "fmt.Sprintf" })
	if through := s.Below[i]; through.Alloc.Objects != 1000 || math.Abs(through.CPU-0.5) > 1e-9 {
		t.Errorf("through fmt: %+v", through)
	}
}

// Allocating all of it away saves no less than any part.
func TestCeilingsGrowWithWhatIsRemoved(t *testing.T) {
	heap, cpu := profiletest.NewHeap(0), profiletest.NewCPU().CPU(200, profiletest.Worker).CPU(300, "example.org/app.work@/src/app/work.go:1"+profiletest.Main)
	for _, site := range []string{"a", "b", "c"} {
		stack := "example.org/app." + site + "@/src/app/x.go:4" + profiletest.Main
		heap.Heap(1000, 10, stack)
		cpu.CPU(100, profiletest.Malloc+stack)
	}
	e := built(t, Runtime{}, heap.File(t, "heap"), cpu.File(t, "cpu"))
	last := Range{}
	for n := 1; n <= len(e.Sites); n++ {
		left := n
		r := e.CombinedCeiling(1, func(*Site) bool { left--; return left >= 0 })
		if r.Middle() <= last.Middle() || r.High > 1 || r.Low < 0 {
			t.Errorf("%d sites removed: %+v after %+v", n, r, last)
		}
		last = r
	}
	if all := e.Costs.Ceiling; math.Abs(all.High-last.High) > 1e-9 {
		t.Errorf("all sites %+v, allocating nothing %+v", last, all)
	}
}

// Without a heap profile the collector's time goes by the time spent allocating,
// without a CPU profile no share of CPU is claimed.
func TestOneProfileAlone(t *testing.T) {
	stack := "example.org/app.serve@/src/app/serve.go:12" + profiletest.Main
	e := built(t, Runtime{}, profiletest.NewCPU().CPU(50, profiletest.Malloc+stack).CPU(50, profiletest.Worker).File(t, "cpu"))
	if len(e.Sites) != 1 || e.Sites[0].CPU.High < 0.6 {
		t.Errorf("by CPU alone: %+v", e.Sites)
	}
	e = built(t, Runtime{}, profiletest.NewHeap(0).Heap(10, 5, stack).File(t, "heap"))
	if len(e.Sites) != 1 || e.Sites[0].CPU != (Range{}) || e.Sites[0].Memory.High != 1 {
		t.Errorf("by heap alone: %+v", e.Sites)
	}
}

// Allocations between two snapshots count, not earlier ones.
func TestRecentAllocations(t *testing.T) {
	busy, idle := "example.org/app.busy@/src/app/x.go:1"+profiletest.Main, "example.org/app.idle@/src/app/x.go:2"+profiletest.Main
	e := built(t, Runtime{},
		profiletest.NewHeap(0).Heap(100, 0, busy).Heap(900, 0, idle).File(t, "a"),
		profiletest.NewHeap(60).Heap(700, 0, busy).Heap(900, 0, idle).File(t, "b"))
	if e.Window.Value != 60 || e.Sites[0].Recent.Objects != 600 || e.Sites[1].Recent.Objects != 0 {
		t.Errorf("window %v: %+v", e.Window, e.Sites)
	}
}

// Allocations before a restart are no part of any difference.
func TestRecentAllocationsAfterARestart(t *testing.T) {
	stack := "example.org/app.busy@/src/app/x.go:1" + profiletest.Main
	e := built(t, Runtime{}, profiletest.NewHeap(0).Heap(5000, 0, stack).File(t, "a"),
		profiletest.NewHeap(60).Heap(1000, 0, stack).File(t, "b"), profiletest.NewHeap(90).Heap(7000, 0, stack).File(t, "c"))
	if e.Window.Value != 30 || e.Sites[0].Recent.Objects != 6000 {
		t.Errorf("window %v: %+v", e.Window, e.Sites)
	}
}

// A binary of the module cache has no code that looks like its own.
func TestNoCodeOfItsOwn(t *testing.T) {
	said := func(stack string) string {
		e := built(t, Runtime{}, profiletest.NewHeap(0).Heap(1000, 0, stack).File(t, "heap"))
		return strings.Join(e.Notes, "\n")
	}
	if notes := said("main.run@example.org/app@v1.2.3/main.go:5 main.main@example.org/app@v1.2.3/main.go:9 runtime.main@/go/src/runtime/proc.go:1"); !strings.Contains(notes, "go install") {
		t.Error(notes)
	}
	if notes := said("main.run@example.org/app/main.go:5" + profiletest.Main); notes != "" {
		t.Error(notes)
	}
}

// What the testing package allocates between benchmarks is nobody's code: the
// main function of a test binary is written by the go command.
func TestTestBinary(t *testing.T) {
	begin := " testing.(*M).Run@/go/src/testing/testing.go:1 example.org/app.TestMain@/src/app/heapwright_profile_test.go:9 main.main@_testmain.go:50 runtime.main@/go/src/runtime/proc.go:1"
	e := built(t, Runtime{}, profiletest.NewHeap(0).
		Heap(1000, 0, "testing.(*B).ResetTimer@/go/src/testing/benchmark.go:1"+begin).
		Heap(9000, 0, "example.org/app.BenchmarkBusy@/src/app/x_test.go:5 testing.(*B).runN@/go/src/testing/benchmark.go:2"+begin).File(t, "a"))
	var own []string
	for _, s := range e.Sites {
		if s.Own {
			own = append(own, s.Function)
		}
	}
	if len(own) != 1 || own[0] != "example.org/app.BenchmarkBusy" {
		t.Errorf("own code %q, want the benchmark alone", own)
	}
}

// A function literal is compiled again, under another name, in each function that its
// own is inlined into. Its line is one site all the same.
func TestSitesOfInlinedLiterals(t *testing.T) {
	const decode = "example.org/lib.Decode@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/d.go:7 "
	handler := func(name string, line int) string {
		return fmt.Sprintf("example.org/app.%s@/src/app/handler.go:%d net/http.serve@/go/src/net/http/server.go:8", name, line)
	}
	heap := profiletest.NewHeap(0).
		Heap(300, 0, decode+handler("newServer.handler.func2", 12)).
		Heap(100, 0, decode+handler("newServer.handler.func3", 12)).
		Heap(100, 0, decode+handler("newServer.handler.func3", 14)).
		Heap(200, 0, decode+handler("other.func1", 12))
	cpu := profiletest.NewCPU().CPU(20, profiletest.Malloc+decode+handler("newServer.handler.func3", 12)).CPU(10, profiletest.Worker)
	for _, p := range []*profiletest.Profile{heap, cpu} {
		for _, f := range p.Function {
			if strings.Contains(f.Name, "newServer") {
				f.StartLine = 9
			}
		}
	}
	e := built(t, Runtime{}, heap.File(t, "heap"), cpu.File(t, "cpu"))
	if len(e.Sites) != 3 {
		t.Fatalf("%d sites: %+v", len(e.Sites), e.Sites)
	}
	s := e.Sites[0]
	if s.Function != "example.org/app.newServer.handler.func2" || s.Line != 12 || s.Alloc.Objects != 400 || s.CPU.High == 0 {
		t.Errorf("%s:%d allocates %v objects, CPU %v; want func2:12 with the 400 of both names", s.Function, s.Line, s.Alloc.Objects, s.CPU)
	}
	for _, stack := range s.Stacks {
		if !slices.Contains(e.Frames(stack), s.Frame) {
			t.Errorf("a path of the site is without it: %v", e.Frames(stack))
		}
	}
}
