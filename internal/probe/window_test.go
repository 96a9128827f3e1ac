package probe

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A part of a run is the difference of two dumps, and parts add up.
func TestPartsOfARun(t *testing.T) {
	const total, automatic, mark = "/gc/cycles/total:gc-cycles", "/gc/cycles/automatic:gc-cycles", "/cpu/classes/gc/total:cpu-seconds"
	at := func(cpu, cpuAtGC float64, cycles uint64, gc float64, pauses ...Bucket) Dump {
		return Dump{
			CPU: cpu, CPUAtGC: cpuAtGC, Pauses: pauses,
			Uints:  map[string]uint64{total: cycles, automatic: cycles - 1},
			Floats: map[string]float64{mark: gc, "/cpu/classes/user:cpu-seconds": cpuAtGC - gc},
			Live:   []int64{1}, Goal: []int64{2},
		}
	}
	short, long := Bucket{0, 1, 3}, Bucket{2, 3, 2}
	first := at(2, 1, 5, 0.25, short)
	second := at(6, 5, 9, 1.25, Bucket{0, 1, 4}, long)
	third := at(7, 5, 9, 1.25+0.001, Bucket{0, 1, 5}, long) // the next has begun

	part := second.Since(first)
	if part.Cycles(true) != 4 || part.Cycles(false) != 4 || part.Live != nil || part.Goal != nil {
		t.Errorf("%+v", part)
	}
	if d := cmp.Diff([]Bucket{{0, 1, 1}, long}, part.Pauses); d != "" {
		t.Error(d)
	}
	// One of the four CPU seconds between the collections, which ended in the part.
	if gc, _ := part.CPUShares(); math.Abs(gc-0.25) > 1e-9 {
		t.Errorf("share of the collector %g, want 0.25", gc)
	}
	idle := third.Since(second)
	if gc, _ := idle.CPUShares(); gc != 0 || idle.Cycles(true) != 0 {
		t.Errorf("a part without a collection has a share of %g and %d of them", gc, idle.Cycles(true))
	}
	both := part.Plus(idle)
	if gc, _ := both.CPUShares(); math.Abs(gc-0.2) > 1e-9 { // the same second of now five
		t.Errorf("share %g of both parts, want 0.2", gc)
	}
	if d := cmp.Diff([]Span{{5, 9}, {9, 9}}, both.Spans); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Bucket{{0, 1, 2}, long}, both.Pauses); d != "" {
		t.Error(d)
	}
	trace := Trace{Cycles: []Cycle{{Number: 5}, {Number: 6, Live: 7}, {Number: 9}, {Number: 10}}}
	if in := trace.within(both.Spans).Cycles; len(in) != 2 || in[0].Number != 6 || in[1].Number != 9 {
		t.Errorf("collections %+v", in)
	}
	values, _ := GC(true, 2, &both, &trace)
	if values["gc-cycles/op"] != 2 {
		t.Errorf("%g collections per operation, want 4 over 2", values["gc-cycles/op"])
	}
}
