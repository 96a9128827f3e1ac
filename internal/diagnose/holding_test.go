package diagnose

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// held are the figures of a process that has 30 MB from the system and gave back 4 MB.
var held = runtime.MemStats{
	HeapAlloc: 9e6, HeapInuse: 10e6, HeapIdle: 12e6, HeapReleased: 4e6, StackSys: 1e6,
	MSpanSys: 2e6, MCacheSys: 1e6, BuckHashSys: 1e6, GCSys: 2e6, OtherSys: 1e6, Sys: 30e6,
}

// Resident memory is explained to the last byte: the parts add up to it, less the
// pages that the process got and never touched.
func TestPartsAddUpToRSS(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	heap := profiletest.NewHeap(0).Heap(200_000, 100_000, stack).File(t, "heap")  // 6.4 MB live
	large := profiletest.NewHeap(0).Heap(200_000, 200_000, stack).File(t, "heap") // 12.8 MB: more than there is
	cpu := profiletest.NewCPU().CPU(1, stack).File(t, "cpu")
	for name, test := range map[string]struct {
		file  string
		rss   float64
		peak  bool
		last  string // part
		bytes float64
	}{
		"outside Go":         {heap, 31e6, false, "outside Go", 5e6},
		"peak":               {heap, 31e6, true, "outside Go or given back", 5e6},
		"nothing outside":    {heap, 26e6, false, "outside Go", 0},
		"never touched":      {heap, 20e6, false, "never touched", 6e6},
		"a large estimate":   {large, 31e6, false, "outside Go", 5e6},
		"no heap profile":    {cpu, 31e6, false, "outside Go", 5e6},
		"no heap, untouched": {cpu, 20e6, false, "never touched", 6e6},
	} {
		t.Run(name, func(t *testing.T) {
			rt := runtimeOf(&held)
			rt.RSS, rt.PeakRSS = evidence.Known{Value: test.rss, OK: true}, test.peak
			e := built(t, rt, test.file)
			parts, unknown := partsOf(&e.Runtime, e.Live)
			sum := 0.0
			for _, p := range parts {
				if p.Name == "never touched" {
					p.Bytes = -p.Bytes
				}
				sum += p.Bytes
			}
			if math.Abs(sum-test.rss) > 1 {
				t.Errorf("the parts add up to %v of %v: %+v", sum, test.rss, parts)
			}
			if last := parts[len(parts)-1]; last.Name != test.last && test.bytes > 0 || parts[len(parts)-1].Bytes != test.bytes {
				t.Errorf("the last part is %+v, want %s of %v", last, test.last, test.bytes)
			}
			if (len(unknown) > 0) != (test.file == cpu) {
				t.Errorf("unknown: %q", unknown)
			}
		})
	}
}

// A heap profile of an earlier collection is not taken for the heap of today.
func TestStaleHeapProfile(t *testing.T) {
	for goal, want := range map[float64]bool{13e6: false, 500e6: true} {
		_, unknown := partsOf(&evidence.Runtime{Goal: evidence.Known{Value: goal, OK: true}, Sys: evidence.Known{OK: true}, RSS: evidence.Known{OK: true}},
			evidence.Known{Value: 6e6, OK: true})
		if got := strings.Contains(strings.Join(unknown, ""), "of an earlier collection"); got != want {
			t.Errorf("with a heap goal of %v: %q", goal, unknown)
		}
	}
}

// The sizes of several processes do not add up: they are of the one that held most.
func TestSizesAreOfOneProcess(t *testing.T) {
	dump := func(rss, objects, stacks uint64) experiment.Recording {
		d := &probe.Dump{PeakRSS: int64(rss), Uints: map[string]uint64{}}
		for name, v := range map[string]uint64{"total": objects + stacks, "heap/objects": objects, "heap/stacks": stacks} {
			d.Uints["/memory/classes/"+name+":bytes"] = v
		}
		return experiment.Recording{Dump: d}
	}
	rt := RuntimeOf([]experiment.Recording{dump(20e6, 1e6, 9e6), dump(30e6, 15e6, 5e6), dump(25e6, 9e6, 8e6)})
	if rt.RSS.Value != 30e6 || rt.Objects.Value != 15e6 || rt.Stacks.Value != 5e6 || rt.Sys.Value != 20e6 {
		t.Errorf("%+v", rt)
	}
}

// Where the process does not tell its peak, the system does of the profiled run.
func TestPeakOfTheRun(t *testing.T) {
	known, bound := process.Usage{PeakRSS: 40e6}, process.Usage{PeakRSS: 90e6, Floor: 90e6}
	rt := RuntimeOf([]experiment.Recording{{Usage: known, Dump: &probe.Dump{}}, {Usage: bound}})
	if !rt.PeakRSS || rt.RSS != (evidence.Known{Value: 40e6, OK: true}) {
		t.Errorf("%+v", rt)
	}
	if rt := RuntimeOf([]experiment.Recording{{Usage: known, Dump: &probe.Dump{PeakRSS: 30e6}}}); rt.RSS.Value != 30e6 {
		t.Errorf("the dump's own peak is not taken: %+v", rt.RSS)
	}
}
