package diagnose

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
)

// recordTime is how long a benchmark is profiled: 200 samples of CPU.
const recordTime = 2 * time.Second

// run profiles a target and reads what it left.
func (in *inputs) run(ctx context.Context, t experiment.Target) error {
	plan, doc, err := in.experiment(t, "default", recordTime)
	if err != nil {
		return err
	}
	plan.Recordings = in.plan.Budget / 2 // the other half is for the runs without collections
	recordings, err := experiment.Record(ctx, plan, doc, filepath.Join(in.scratch, "profiles"))
	for _, f := range doc.Failures {
		in.profiles.note("%s: %s", f.Key, f.Reason)
	}
	in.profiles.Notes = append(in.profiles.Notes, doc.Warnings...)
	if err != nil {
		return err
	}
	in.target, in.benchmarks, in.runtime = t, len(recordings), RuntimeOf(recordings)
	if m := probe.ThisMachine().Memory; m > 0 {
		in.runtime.Memory = Known{float64(m), true}
	}
	return in.profiles.addRecordings(recordings)
}

// addRecordings adds up what each benchmark left. One alone may have left heap
// profiles in time order; those of several are of as many processes.
func (s *Profiles) addRecordings(all []experiment.Recording) error {
	heaps := profile.NewMerger(profile.Options{Dict: s.Dict})
	for _, r := range all {
		for _, file := range r.CPU {
			if err := s.addAs(r.Key.String(), file); err != nil {
				s.note("no CPU profile: %v", err) // it took too little for a sample
			}
		}
		for _, file := range r.Heap {
			if len(all) == 1 {
				if err := s.addAs(r.Key.String(), file); err != nil {
					return err
				}
				continue
			}
			p, err := s.decoder.DecodeFile(file)
			if err == nil {
				err = heaps.Add(p)
			}
			if err != nil {
				return err
			}
		}
	}
	if len(all) > 1 {
		p, err := heaps.Profile()
		if err != nil {
			return err
		}
		p.Name = fmt.Sprintf("the heaps of %d benchmarks", len(all))
		return s.add(p)
	}
	return nil
}

// experiment is a plan for the target and an empty document for it.
func (in *inputs) experiment(t experiment.Target, modes string, runTime time.Duration) (experiment.Plan, *result.Document, error) {
	parsed, err := mode.Parse(modes)
	return experiment.Plan{Target: t, Modes: parsed, Dir: in.plan.Dir, OutDir: filepath.Join(in.scratch, "experiment"),
		RunTime: runTime, Budget: in.plan.Budget, Handler: in.plan.Handler}, experiment.NewDocument(), err
}
