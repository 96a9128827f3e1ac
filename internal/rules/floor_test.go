package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

func TestFloor(t *testing.T) {
	known := func(v float64) evidence.Known { return evidence.Known{Value: v, OK: true} }
	const mib = 1 << 20
	for _, test := range []struct {
		name           string
		live, rate     float64 // MiB, per second; 0 is unknown
		goal, memory   float64 // MiB; 0 is unknown
		floor          float64
		gogc           int
		fewer, seconds float64 // share of collections that goes, collections per second
	}{
		{"nothing known but the heap", 1, 0, 0, 0, 49, 1230, 0.93, 0},
		{"one a second", 1, 20, 0, 0, 21, 530, 0.85, 20.0 / 3},
		{"large", 16, 4000, 0, 0, 256, 1500, 0.93, 250},
		{"in a small container", 4, 4000, 0, 256, 32, 700, 0.85, 1000},
		{"goal raised already", 4, 100, 90, 0, 104, 2500, 0.14, 100.0 / 86},
	} {
		e := &evidence.Evidence{Rate: evidence.Known{Value: test.rate * mib, OK: test.rate > 0}}
		if test.goal > 0 {
			e.Runtime.Goal = known(test.goal * mib)
		}
		if test.memory > 0 {
			e.Runtime.Memory = known(test.memory * mib)
		}
		f := floorFor(e, test.live*mib)
		if f.size != test.floor*mib || f.gogc() != test.gogc || f.saves() < test.fewer-0.01 || f.saves() > test.fewer+0.01 ||
			f.perSecond.Value < test.seconds*0.99 || f.perSecond.Value > test.seconds*1.01 {
			t.Errorf("%s: %+v, GOGC=%d, saves %v", test.name, f, f.gogc(), f.saves())
		}
	}
}
