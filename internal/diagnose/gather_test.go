package diagnose

import (
	"math"
	"strings"
	"testing"
)

const (
	root   = " main.main@/src/app/main.go:9 runtime.main@/go/src/runtime/proc.go:1"
	malloc = "runtime.mallocgc@/go/src/runtime/malloc.go:1 "
	worker = "runtime.scanobject@/go/src/runtime/mgcmark.go:1 runtime.gcDrain@/go/src/runtime/mgcmark.go:2 runtime.gcBgMarkWorker@/go/src/runtime/mgc.go:3"
)

// A site is the innermost line of the program's own code, whatever lies below.
func TestSites(t *testing.T) {
	heap := madeHeap(0).
		heap(1000, 0, "fmt.Sprintf@/go/src/fmt/print.go:5 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+root).
		heap(500, 500, "example.org/app.load@/src/app/load.go:3"+root).
		heap(10, 0, "net/http.(*conn).serve@/go/src/net/http/server.go:8 runtime.goexit@/go/src/runtime/asm.s:1").
		file(t, "heap")
	cpu := madeCPU().
		cpu(20, malloc+"fmt.Sprintf@/go/src/fmt/print.go:5 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+root).
		cpu(30, "fmt.Sprintf@/go/src/fmt/print.go:6 example.org/lib.F@/home/gopher/go/pkg/mod/example.org/lib@v1.2.3/f.go:7 example.org/app.serve@/src/app/serve.go:12"+root).
		cpu(10, worker).
		cpu(40, "example.org/app.work@/src/app/work.go:1"+root).
		file(t, "cpu")
	e := gathered(t, Runtime{}, heap, cpu)
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
	// what is allocated, and two thirds of the bytes that another 10 are spent on.
	if s.CPU.Low > 0.45 || s.CPU.High < 0.55 || s.CPU.Low < 0.3 || s.CPU.High > 0.85 {
		t.Errorf("ceiling %+v", s.CPU)
	}
	if m := e.Sites[1].Memory; e.Sites[1].Function != "example.org/app.load" || m.High != 1 {
		t.Errorf("%s has %+v of the live heap", e.Sites[1].Function, m)
	}
	through := e.Through(&s, func(f string) bool { return f == "fmt.Sprintf" })
	if through.Alloc.Objects != 1000 || math.Abs(through.CPU-0.5) > 1e-9 {
		t.Errorf("through fmt: %+v", through)
	}
}

// The line of a module beside the one at hand says more than one of package io.
func TestSiteBesideTheModule(t *testing.T) {
	s := newScene(t, "package main\n\nfunc main() {}\n")
	s.churn("", "io.ReadAll@/opt/go/src/io/io.go:7 example.org/beside.Load@/src/beside/load.go:3 ")
	lines := 0
	for _, f := range s.find() {
		if f.File == "/src/beside/load.go" && f.Line == 3 {
			lines++
		} else if f.File != "" {
			t.Errorf("found %s", describe(f))
		}
	}
	if lines != 1 {
		t.Errorf("%d findings at the line", lines)
	}
}

// Allocating all of it away saves no less than any part.
func TestCeilingsGrowWithWhatIsRemoved(t *testing.T) {
	heap, cpu := madeHeap(0), madeCPU().cpu(200, worker).cpu(300, "example.org/app.work@/src/app/work.go:1"+root)
	for _, site := range []string{"a", "b", "c"} {
		stack := "example.org/app." + site + "@/src/app/x.go:4" + root
		heap.heap(1000, 10, stack)
		cpu.cpu(100, malloc+stack)
	}
	e := gathered(t, Runtime{}, heap.file(t, "heap"), cpu.file(t, "cpu"))
	last := Range{}
	for n := 1; n <= len(e.Sites); n++ {
		left := n
		r := e.Removing(func(*Site) bool { left--; return left >= 0 })
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
	stack := "example.org/app.serve@/src/app/serve.go:12" + root
	e := gathered(t, Runtime{}, madeCPU().cpu(50, malloc+stack).cpu(50, worker).file(t, "cpu"))
	if len(e.Sites) != 1 || e.Sites[0].CPU.High < 0.6 {
		t.Errorf("by CPU alone: %+v", e.Sites)
	}
	e = gathered(t, Runtime{}, madeHeap(0).heap(10, 5, stack).file(t, "heap"))
	if len(e.Sites) != 1 || e.Sites[0].CPU != (Range{}) || e.Sites[0].Memory.High != 1 {
		t.Errorf("by heap alone: %+v", e.Sites)
	}
}

// What was allocated between two snapshots counts, not what was before.
func TestRecentAllocations(t *testing.T) {
	busy, idle := "example.org/app.busy@/src/app/x.go:1"+root, "example.org/app.idle@/src/app/x.go:2"+root
	e := gathered(t, Runtime{},
		madeHeap(0).heap(100, 0, busy).heap(900, 0, idle).file(t, "a"),
		madeHeap(60).heap(700, 0, busy).heap(900, 0, idle).file(t, "b"))
	if e.Window.Value != 60 || e.Sites[0].Recent.Objects != 600 || e.Sites[1].Recent.Objects != 0 {
		t.Errorf("window %v: %+v", e.Window, e.Sites)
	}
}

// What was allocated before a restart is no part of any difference.
func TestRecentAllocationsAfterARestart(t *testing.T) {
	stack := "example.org/app.busy@/src/app/x.go:1" + root
	e := gathered(t, Runtime{}, madeHeap(0).heap(5000, 0, stack).file(t, "a"),
		madeHeap(60).heap(1000, 0, stack).file(t, "b"), madeHeap(90).heap(7000, 0, stack).file(t, "c"))
	if e.Window.Value != 30 || e.Sites[0].Recent.Objects != 6000 {
		t.Errorf("window %v: %+v", e.Window, e.Sites)
	}
}

// A binary of the module cache has no code that looks like its own.
func TestNoCodeOfItsOwn(t *testing.T) {
	said := func(stack string) string {
		e := gathered(t, Runtime{}, madeHeap(0).heap(1000, 0, stack).file(t, "heap"))
		return strings.Join(e.Notes, "\n")
	}
	has(t, said("main.run@example.org/app@v1.2.3/main.go:5 main.main@example.org/app@v1.2.3/main.go:9 runtime.main@/go/src/runtime/proc.go:1"), "go install")
	if notes := said("main.run@example.org/app/main.go:5" + root); notes != "" {
		t.Error(notes)
	}
}
