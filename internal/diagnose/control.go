package diagnose

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/machine"
	metric "github.com/heapwright/heapwright/internal/sample"
)

// Control is the CPU time that runs without collections saved.
type Control struct {
	Mode   string  `json:"mode"`   // the mode of the runs without collections
	Saved  float64 `json:"saved"`  // share of CPU time; below 0 it took more
	Low    float64 `json:"low"`    // ends of its interval
	High   float64 `json:"high"`   //
	Blocks int     `json:"blocks"` // pairs of runs
	Note   string  `json:"note,omitempty"`
}

// guard returns the memory limit for a run without collections. A run that needs more
// collects after all. A quarter of the machine leaves enough for other programs.
func guard() int64 {
	const most, least = 4 << 30, 256 << 20
	if m := machine.This().Memory; m > 0 {
		return max(least, min(most, m/4))
	}
	return least
}

// control measures the cost of GC. It compares the target with GOGC=off and a memory
// limit with the target as it is, and returns the mean of the benchmarks, each with the
// same weight.
func (in *inputs) control(ctx context.Context) (*Control, error) {
	// Too few runs give no interval, so the user learns which budget would be enough.
	off := fmt.Sprintf("GOGC=off+GOMEMLIMIT=%dMiB", guard()>>20)
	left := min(in.clock.left(), in.plan.Budget/2)
	chosen, runTime := planControl(left, in.recordings)
	if run := in.target.Facts().Run; run > 0 || in.target.Facts().FixedLength {
		chosen, runTime = []int{0}, max(run, time.Duration(in.runtime.Seconds.Value*float64(time.Second)))
		if need := controlBlocks * controlArms * runTime; need > left {
			return nil, fmt.Errorf("%d runs of %v do not fit into the rest of the budget; give -budget %v",
				controlBlocks*controlArms, runTime.Round(time.Second/10), (2*need).Truncate(time.Minute)+time.Minute)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("the rest of the budget, %v, is too short for %d runs of any benchmark; give a larger -budget",
			left.Round(time.Second/10), controlBlocks*controlArms)
	}
	// The experiment is an ordinary comparison of two modes.
	plan, doc, err := in.experiment(in.target, "default,"+off, runTime)
	if err != nil {
		return nil, err
	}
	plan.Budget = left
	for _, i := range chosen {
		plan.Among = append(plan.Among, in.recorded[i])
	}
	plan.Blocks, plan.Select, off = controlBlocks, true, plan.Modes[1].Name
	err = experiment.Run(ctx, plan, doc, nil)
	in.clock.compiled(time.Duration(doc.Compiling * float64(time.Second)))
	if err != nil {
		return nil, err
	}

	// Ratios are averaged as logarithms, so that 0.5 and 2 cancel out.
	c := &Control{Mode: off, Blocks: doc.Blocks}
	var ratio, low, high float64 // logarithms
	n := 0.0
	for _, e := range doc.Effects {
		if e.Metric == metric.Primary && e.Mode == off && e.Low > 0 {
			ratio, low, high = ratio+math.Log(e.Ratio), low+math.Log(e.Low), high+math.Log(e.High)
			n++
		}
	}
	if n == 0 || math.IsInf(high, 0) {
		return nil, fmt.Errorf("too few pairs of runs for an interval; give a larger -budget")
	}
	c.Saved, c.Low, c.High = 1-math.Exp(ratio/n), 1-math.Exp(high/n), 1-math.Exp(low/n)
	for _, r := range doc.Untimed {
		if r.Mode == off && r.Values["gc-cycles/op"] > 0 {
			c.Note = "the memory limit was reached, so these runs include some GC"
		}
	}
	return c, nil
}
