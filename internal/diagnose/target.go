package diagnose

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/target"
)

// recordTime is the time for which a benchmark is profiled, which gives 200 CPU samples.
const recordTime = 2 * time.Second

// run profiles a target and reads its recordings.
func (in *inputs) run(ctx context.Context, t target.Target) error {
	plan, doc, err := in.experiment(t, "default", recordTime)
	if err != nil {
		return err
	}
	in.clock = newClock(in.plan.Budget)
	plan.Budget, plan.Patience = time.Duration(recordingPart*float64(in.plan.Budget)), in.plan.Budget
	plan.Select = true
	recordings, err := experiment.Record(ctx, plan, doc, filepath.Join(in.scratch, "profiles"))
	in.clock.compiled(time.Duration(doc.Compiling * float64(time.Second)))
	for _, f := range doc.Failures {
		in.profiles.Note("%s: %v", f.Key, &target.RunError{Reason: f.Reason, Output: f.Output})
		if !slices.Contains(in.failed, f.Key) {
			in.failed = append(in.failed, f.Key)
		}
	}
	in.profiles.Notes = append(in.profiles.Notes, doc.Warnings...)
	if err != nil {
		return err
	}
	// The module of a dependency that is run is looked into like the program's own.
	modules := source.DependenciesOf(ctx, source.Options{Dir: in.plan.Dir}, t.Facts().Packages)
	in.plan.Modules = strings.Join(append(modules, in.plan.Modules), ",")
	in.target, in.runtime, in.profiles.Ended = t, RuntimeOf(recordings), t.Facts().FixedLength
	in.recordings, in.leftOut = recordings, doc.LeftOut
	for _, r := range recordings {
		in.recorded = append(in.recorded, r.Key)
		in.failed = slices.DeleteFunc(in.failed, func(k sample.Key) bool { return k == r.Key }) // it failed now and then
	}
	if m := machine.This().Memory; m > 0 {
		in.runtime.Memory = evidence.Known{Value: float64(m), OK: true}
	}
	return in.addRecordings(recordings)
}

// programs returns the packages that were run.
func (in *inputs) programs() []string {
	if in.target == nil {
		return nil
	}
	return in.target.Facts().Packages
}

// addRecordings adds the profiles of all benchmarks. Heap profiles of one benchmark are
// of one process, in order of time. With several benchmarks they are of several
// processes, and are merged.
func (in *inputs) addRecordings(all []experiment.Recording) error {
	var heaps []string
	for _, r := range all {
		if err := in.profiles.AddMerged(r.Key.String(), r.CPU); err != nil && len(r.CPU) > 0 {
			in.profiles.Note("no CPU profile: %v", err) // the run was too short for a sample
		}
		heaps = append(heaps, r.Heap...)
	}
	if len(all) > 1 {
		return in.profiles.AddMerged(fmt.Sprintf("the heaps of %d benchmarks", len(all)), heaps)
	}
	for _, file := range heaps {
		if err := in.profiles.AddFileAs(all[0].Key.String(), file); err != nil {
			return err
		}
	}
	return nil
}

// experiment returns a plan for the target, and an empty document for it.
func (in *inputs) experiment(t target.Target, modes string, runTime time.Duration) (experiment.Plan, *result.Document, error) {
	parsed, err := mode.Parse(modes)
	return experiment.Plan{Target: t, Modes: parsed, Dir: in.plan.Dir, OutDir: filepath.Join(in.scratch, "experiment"),
		RunTime: runTime, Budget: in.plan.Budget, Handler: in.plan.Handler}, experiment.NewDocument(), err
}
