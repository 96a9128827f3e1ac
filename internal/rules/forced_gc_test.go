package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const reports = `package main

import "runtime/debug"

type entry struct {
	name string
	next *entry
}

func load(names []string) (all *entry) {
	for _, n := range names {
		all = &entry{n, all}
	}
	return all
}

func answer(q string) []byte {
	return []byte("0.0.0.0 and more " + q)
}

func memory() {
	debug.FreeOSMemory()
}

func main() {}
`

// forced is a program with a large live heap that makes some garbage. The collector
// takes 60 of 100 samples, and the program calls debug.FreeOSMemory.
func forced(t *testing.T, sampled bool, counts evidence.Counts) *scene {
	s := newScene(t, reports)
	s.runtime = evidence.Runtime{Recent: counts, Goal: known(140e6)}
	s.cpu = profiletest.NewCPU().CPU(60, profiletest.Worker).CPU(20, start)
	s.churn("runtime.slicebytetostring", s.frame("answer", `return []byte(`))
	s.heaps[0].Heap(1.1e6, 1.1e6, s.frame("load", "all = &entry{n, all}")+start)
	if sampled {
		s.cpu.CPU(6, "runtime.sweepone@/go/src/runtime/mgcsweep.go:1 runtime.GC@/go/src/runtime/mgc.go:1 "+
			"runtime/debug.freeOSMemory@/go/src/runtime/mheap.go:1 runtime/debug.FreeOSMemory@/go/src/runtime/debug/garbage.go:1 "+s.frame("memory", "debug.FreeOSMemory()")+start)
	}
	return s
}

func known(v float64) evidence.Known { return evidence.Known{Value: v, OK: true} }

func TestForcedGC(t *testing.T) {
	counts := evidence.Counts{Cycles: known(16), Forced: known(15), Allocated: known(10e6)}
	t.Run("sampled and counted", func(t *testing.T) {
		f := forced(t, true, counts).wants("forced-gc", "debug.FreeOSMemory()")
		has(t, f.Title, "15 of 16 collections are forced by debug.FreeOSMemory")
		has(t, f.Remedy, "Remove the call")
		if f.Confidence != evidence.High || f.CPU.Low < 0.2 {
			t.Errorf("%s %+v", f.Confidence, f.CPU)
		}
	})
	t.Run("counted", func(t *testing.T) { // the line is in the source
		f := forced(t, false, counts).wants("forced-gc", "debug.FreeOSMemory()")
		has(t, f.Title, "forced by debug.FreeOSMemory")
	})
	t.Run("sampled", func(t *testing.T) {
		f := forced(t, true, evidence.Counts{}).wants("forced-gc", "debug.FreeOSMemory()")
		has(t, f.Title, "collections are forced by debug.FreeOSMemory")
	})
	t.Run("no source", func(t *testing.T) {
		s := forced(t, false, counts).without()
		f := s.wants("forced-gc", "")
		has(t, f.Remedy, "Search the program and its dependencies")
	})
	// What allocates is not to blame for collections that are forced.
	t.Run("allocations", func(t *testing.T) {
		for _, f := range forced(t, true, counts).find() {
			if f.Rule != "forced-gc" && f.CPU.High > 0.45 {
				t.Errorf("%s", describe(f))
			}
		}
	})
}

// A benchmark may collect while its timer is stopped. The frame of benchmarks and the
// profile at the end collect, too.
func TestForcedGCOfBenchmarks(t *testing.T) {
	counts := evidence.Counts{Cycles: known(16), Forced: known(15), Allocated: known(10e6), Shared: true}
	const gc, loop = "runtime.sweepone@/go/src/runtime/mgcsweep.go:1 runtime.GC@/go/src/runtime/mgc.go:1 ", "testing.(*B).runN@/go/src/testing/benchmark.go:1"
	t.Run("by the benchmark", func(t *testing.T) {
		s := forced(t, false, counts)
		s.tests = "package main\n\nimport (\n\t\"runtime\"\n\t\"testing\"\n)\n\nfunc BenchmarkLoad(b *testing.B) {\n\truntime.GC()\n}\n"
		s.cpu.CPU(9, gc+"main.BenchmarkLoad@ex.com/x/main_test.go:9 "+loop)
		all := s.find()
		f := all[len(all)-1]
		if f.Rule != "forced-gc" || f.Line != 9 {
			t.Fatalf("last finding: %s", describe(f))
		}
		has(t, f.Title, "the benchmark itself forces 15 of 16 collections, by runtime.GC")
		for _, f := range all[:len(all)-1] {
			if f.CPU.High > 0.45 {
				t.Errorf("%s", describe(f))
			}
		}
	})
	t.Run("by its frame", func(t *testing.T) {
		s := forced(t, false, counts).without()
		s.cpu.CPU(9, gc+loop)
		s.wantsNone("forced-gc")
	})
}

func TestForcedGCOfHealthyPrograms(t *testing.T) {
	for name, counts := range map[string]evidence.Counts{
		"none":             {Cycles: known(40), Forced: known(0), Allocated: known(4e9)},
		"one at the start": {Cycles: known(40), Forced: known(1), Allocated: known(4e9)},
		"not counted":      {},
		// With so many bytes, collections would run as often without the calls.
		"at every goal": {Cycles: known(40), Forced: known(40), Allocated: known(40 * 70e6)},
	} {
		t.Run(name, func(t *testing.T) { forced(t, false, counts).wantsNone("forced-gc") })
	}
	t.Run("a heap profile with gc=1", func(t *testing.T) {
		s := forced(t, false, evidence.Counts{})
		s.cpu.CPU(9, "runtime.sweepone@/go/src/runtime/mgcsweep.go:1 runtime.GC@/go/src/runtime/mgc.go:1 "+
			"net/http/pprof.handler.ServeHTTP@/go/src/net/http/pprof/pprof.go:1 net/http.(*conn).serve@/go/src/net/http/server.go:1")
		for _, f := range s.find() {
			if f.Rule == "forced-gc" && f.Line != 0 {
				t.Errorf("%s", describe(f))
			}
		}
	})
}
