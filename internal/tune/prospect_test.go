package tune

import (
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/sample"
)

// One benchmark of many that does not allocate proves nothing about the others.
func TestFewProfiledProveNothing(t *testing.T) {
	idle := func(leftOut int) *diagnose.Document {
		return &diagnose.Document{
			CPU:      &diagnose.Spending{Ceiling: evidence.Range{High: 0.01}, Collection: evidence.Range{High: 0.01}},
			Recorded: make([]sample.Key, 10),
			LeftOut:  make([]sample.Key, leftOut),
		}
	}
	for leftOut, want := range map[int]bool{0: true, 10: true, 11: false, 150: false} {
		e := prospectOf(idle(leftOut))
		if got := e.nothingToGain(); got != want || e.collectsTooLittle() != want {
			t.Errorf("10 benchmarks without allocations, %d left out: nothing to gain is %t", leftOut, got)
		}
	}
}

// The diagnosis of a small budget has the time to find benchmarks, and leaves half.
func TestForDiagnosis(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{
		20 * time.Second: 10 * time.Second,
		45 * time.Second: 20 * time.Second,
		4 * time.Minute:  time.Minute,
	} {
		if got := forDiagnosis(budget); got != want {
			t.Errorf("of %v: %v, want %v", budget, got, want)
		}
	}
}
