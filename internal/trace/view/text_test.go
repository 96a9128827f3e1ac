package view

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/trace"
)

// A line that only sweeps has no assists to count, and a tail of few lengths is
// not quoted.
func TestAnswer(t *testing.T) {
	line := trace.Line{Place: trace.Place{Function: "main.work", File: "work.go", Line: 7}, Sweep: 2e6}
	d := &trace.Document{Cycles: make([]trace.Cycle, 1), Lines: []trace.Line{line}}
	d.Bursts = trace.Tail{Count: enough - 1, Quantiles: []trace.Quantile{{Q: 0.99, Length: 1e9, Count: 1, Total: 1e9}}}
	if got := strings.Join(Answer(d), " "); !strings.Contains(got, "main.work work.go:7 pays most: 2 ms by sweeping.") || strings.Contains(got, "p99") {
		t.Error(got)
	}
	d.Bursts.Count = enough
	if got := Answer(d)[0]; !strings.Contains(got, "p99 is 1 s") {
		t.Error(got)
	}
}

// A trace without a collection answers nothing, and says how to get one that does.
func TestAnswerWithoutCollections(t *testing.T) {
	got := strings.Join(Answer(&trace.Document{Duration: 389_000}), " ")
	if !strings.Contains(got, "No collection ran in these 389 µs, so the trace does not show what the collector costs.") || !strings.Contains(got, "-duration 30s") {
		t.Error(got)
	}
}
