package diagnose

import (
	"slices"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
)

// started is a recording of a run of a second whose process takes so long to start.
func started(start float64) experiment.Recording {
	return experiment.Recording{Seconds: start + 1, DumpTime: start + 0.25, RunTime: time.Second}
}

func TestPlanControl(t *testing.T) {
	quick, slow := started(0.02), started(2)
	for _, test := range []struct {
		name     string
		left     time.Duration
		all      []experiment.Recording
		want     []int
		from, to time.Duration
	}{
		{"all", time.Minute, []experiment.Recording{quick, quick}, []int{0, 1}, maxControl, maxControl},
		{"some", 5 * time.Second, []experiment.Recording{quick, quick, quick, quick}, []int{0, 1}, minControl, maxControl},
		{"without the slow one", 10 * time.Second, []experiment.Recording{slow, quick}, []int{1}, minControl, maxControl},
		{"none", 10 * time.Second, []experiment.Recording{slow}, nil, 0, 0},
		{"no time", 0, []experiment.Recording{quick}, nil, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, run := planControl(test.left, test.all)
			if !slices.Equal(got, test.want) || run < test.from || run > test.to {
				t.Errorf("benchmarks %v of %v each", got, run)
			}
			need := time.Duration(0)
			for _, i := range got {
				need += (controlRuns - 1) * test.all[i].Start()
				need += controlRuns * run
			}
			if need > test.left {
				t.Errorf("it needs %v of %v", need, test.left)
			}
		})
	}
}
