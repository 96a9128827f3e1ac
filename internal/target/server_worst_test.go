package target

import (
	"math"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/probe"
)

func gcDump(seconds float64) probe.Dump {
	return probe.Dump{
		Floats: map[string]float64{"/cpu/classes/gc/total:cpu-seconds": seconds},
		Uints:  map[string]uint64{"/sched/gomaxprocs:threads": 2},
	}
}

func TestWorstSecond(t *testing.T) {
	var w worstSecond
	began := time.Now()
	at := func(ms int, gc float64) { w.add(began.Add(time.Duration(ms)*time.Millisecond), gcDump(gc)) }

	w.begin()
	at(0, 1)
	at(950, 3)
	if w.figures() != nil {
		t.Errorf("%v of less than a second", w.figures())
	}
	at(1000, 3.1)
	at(1500, 3.1) // from 0 on it is 1.5 s, from 950 on less than one
	if got := w.figures()["worst-gc-cpu-fraction"]; math.Abs(got-1.05) > 1e-9 {
		t.Errorf("worst second %v, want 2.1 CPU seconds of 2", got)
	}
	at(2500, 3.1)
	at(3000, 5.4) // 1.5 s after the one before the last
	if got := w.figures()["worst-gc-cpu-fraction"]; math.Abs(got-1.05) > 1e-9 {
		t.Errorf("worst second %v", got)
	}
	w.begin() // the time between two stretches is in neither
	at(4000, 9)
	at(5000, 9.2)
	if got := w.figures()["worst-gc-cpu-fraction"]; math.Abs(got-1.05) > 1e-9 {
		t.Errorf("worst second %v", got)
	}
	w.add(began.Add(7*time.Second), probe.Dump{}) // a Go that does not tell
	if got := w.figures()["worst-gc-cpu-fraction"]; math.Abs(got-1.05) > 1e-9 {
		t.Errorf("worst second %v", got)
	}
}
