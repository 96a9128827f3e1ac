package experiment

import (
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/verdict"
)

const (
	// startup is the assumed time that a process takes in addition to its benchmark, until that
	// is known.
	startup = 50 * time.Millisecond
	// calibratingRuns is roughly the number of runs of RunTime that calibrating takes.
	calibratingRuns = 2
	// leastRecording is long enough for 25 CPU samples, which count together with the samples
	// of the other benchmarks.
	leastRecording = 250 * time.Millisecond
	// dumpPart is the share of a recording that the dump takes.
	dumpPart = 0.25
	// spare is the share of the budget that is not planned, because one block too few for the
	// first answer is worse than one benchmark too few.
	spare = 0.25
)

// A pace is the speed at which benchmarks run: the wall-clock time that a process takes in
// addition to its run, and the length of the run.
type pace struct {
	start, run time.Duration
	own        []time.Duration // start of each benchmark that is calibrated already
}

// starts returns the total time that the processes of n benchmarks take in addition to their
// runs. It has one sum for calibrated benchmarks, and one for the others.
func (p pace) starts(n int) (calibrated, others time.Duration) {
	for _, own := range p.own[:min(n, len(p.own))] {
		calibrated += max(startup, own)
	}
	return calibrated, time.Duration(max(0, n-len(p.own))) * p.start
}

// usualStart returns the time that a process usually takes in addition to its run. It is the
// median of the calibrations and of the estimate from the list of benchmarks, which counts
// twice. A mean would depend on a single benchmark that prepares its data for long.
func usualStart(listed time.Duration, starts []time.Duration) time.Duration {
	all := append([]time.Duration{listed, listed}, starts...)
	slices.Sort(all)
	return max(startup, all[len(all)/2])
}

// affordRecording returns how many of n benchmarks can be recorded in the time that is left,
// and the length of each run. Benchmarks that are calibrated already stay. Each of the others
// is calibrated, profiled and run for its dump.
func affordRecording(left time.Duration, p pace, n int) (int, time.Duration) {
	for n = max(n, 1); ; n-- {
		calibrated, others := p.starts(n)
		runs := (calibratingRuns+1+dumpPart)*float64(n) - calibratingRuns*float64(len(p.own))
		each := time.Duration(float64(left-2*calibrated-3*others) / runs)
		if each >= leastRecording || n <= max(1, len(p.own)) {
			return n, min(p.run, max(leastRecording, each))
		}
	}
}

// affordBlocks returns how many of n benchmarks can be run until the first answer in the time
// that is left. That takes runs(n) runs of each. Even benchmarks that are calibrated already
// may be left out.
func affordBlocks(left time.Duration, p pace, n int, runs func(n int) int) int {
	left = time.Duration((1 - spare) * float64(left))
	for ; n > 1; n-- {
		calibrated, others := p.starts(n)
		calibrating := others + time.Duration(max(0, n-len(p.own)))*calibratingRuns*p.run
		if calibrating+time.Duration(runs(n))*(calibrated+others+time.Duration(n)*p.run) <= left {
			break
		}
	}
	return n
}

// afford returns how many of n benchmarks fit into the rest of the budget, and the
// length of a run. start is the time that processes take beside their runs where
// the benchmark is not calibrated.
func (e *experiment) afford(start time.Duration, n int) (int, time.Duration) {
	p := pace{start: start, run: e.plan.RunTime}
	for _, b := range e.benches {
		p.own = append(p.own, b.start)
	}
	switch {
	case e.recording && e.plan.Select:
		return affordRecording(e.left(), p, n)
	case e.recording:
		for len(p.own) < n {
			p.own = append(p.own, start)
		}
		_, run := affordRecording(e.left(), p, n)
		return n, run
	case e.plan.Select:
		return affordBlocks(e.left(), p, n, e.runsFor), p.run
	}
	return n, p.run
}

// runsFor is how often each of n benchmarks is run for the first answer once it
// is calibrated. Where modes skip benchmarks, that is the mean of the first n.
func (e *experiment) runsFor(n int) int {
	blocks, questions := e.plan.Blocks, n*e.candidates()
	skipped := 0
	if e.plan.Skips != nil {
		for _, k := range e.plan.Among[:min(n, len(e.plan.Among))] {
			skipped += e.candidates() - e.candidatesOf(k)
		}
	}
	if questions -= skipped; questions > 0 {
		analyses, _ := verdict.PlanAnalyses(questions, e.plan.Blocks)
		blocks = analyses[0]
	}
	return len(e.cells) + blocks*len(e.arms()) - (1+blocks)*(skipped/max(n, 1))
}
