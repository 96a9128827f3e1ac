package diagnose

import (
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
)

const (
	controlBlocks = 8  // enough for a 99% interval of the signed rank
	controlArms   = 3  // the default, without collections, and the A/A control
	inControl     = 12 // benchmarks for which the time of a run is chosen
	maxControl    = 400 * time.Millisecond
	minControl    = 50 * time.Millisecond // below, starting the process is most of a run

	// controlRuns is the number of runs of a benchmark: about two for calibrating, an
	// untimed one in each mode, and those in the blocks.
	controlRuns = 2 + 2 + controlBlocks*controlArms
	// spare is the share of the time that is kept for runs that take longer than the
	// recordings suggest.
	spare = 0.15
)

// planControl chooses the benchmarks of a control and the duration of a run, so that all
// blocks fit into the time that is left: fewer blocks give no interval. The most important
// benchmarks come first. A benchmark whose process takes too long to start is left out.
// If the time is too short for any, all are left out.
func planControl(left time.Duration, all []experiment.Recording) (chosen []int, runTime time.Duration) {
	left = time.Duration(float64(left) * (1 - spare))
	var starts, stretch float64 // seconds, and seconds per second of run time
	for i := range all {
		s, k := all[i].Start().Seconds()*(controlRuns-1), all[i].Stretch()*controlRuns
		if len(chosen) < inControl && starts+s+(stretch+k)*minControl.Seconds() <= left.Seconds() {
			chosen = append(chosen, i)
			starts, stretch = starts+s, stretch+k
		}
	}
	if len(chosen) == 0 {
		return nil, 0
	}
	runTime = time.Duration((left.Seconds() - starts) / stretch * float64(time.Second))
	return chosen, min(runTime, maxControl)
}
