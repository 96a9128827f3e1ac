//go:build linux || darwin

package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// inputs is a kind of target that nothing else knows of: one run feeds a program
// several inputs, one after the other, and reports each as a part.
type inputs struct {
	Program []string            `json:"program"`
	Inputs  map[string][]string `json:"inputs"` // arguments, by the part's name
}

func (t *inputs) String() string { return filepath.Base(t.Program[0]) + " with several inputs" }

func (t *inputs) Facts() target.Facts {
	var parts []string
	for name := range t.Inputs {
		parts = append(parts, name)
	}
	slices.Sort(parts)
	return target.Facts{Kind: "inputs", Builds: inject.Main, FixedLength: true, Parts: parts, Budget: 10 * time.Minute}
}

func (t *inputs) Build(_ context.Context, c *target.Cell) error {
	c.Config.Prebuilt = true
	c.Binaries = map[string][]string{"": {t.Program[0]}}
	return nil
}

func (t *inputs) Benchmarks(context.Context, *target.Cell, time.Duration) ([]target.Found, error) {
	return []target.Found{{Key: sample.Key{Benchmark: "inputs"}}}, nil
}

func (t *inputs) Calibrate(context.Context, *target.Cell, sample.Key, time.Duration, time.Duration) (target.Calibration, error) {
	return target.Calibration{Iterations: len(t.Inputs)}, nil
}

func (t *inputs) Invocation(c *target.Cell, k sample.Key, binary string, iterations int) target.Invocation {
	cmd := process.Command{Path: binary, Args: t.Program[1:], Dir: c.Dir, Env: mode.RunEnv(c.Config)}
	return target.Invocation{Command: cmd, Key: k, Iterations: iterations, Remark: "with each input"}
}

func (t *inputs) Run(ctx context.Context, inv target.Invocation) ([]target.Figures, error) {
	var all []target.Figures
	for _, part := range t.Facts().Parts {
		cmd := inv.Command
		cmd.Args = slices.Concat(cmd.Args, t.Inputs[part])
		out, err := process.Run(ctx, cmd)
		if err != nil {
			return nil, err
		}
		if out.Failure != "" {
			return nil, &target.RunError{Reason: out.Failure, Output: out.LastOutput}
		}
		all = append(all, target.Figures{Part: part, Iterations: 1, Values: probe.Figures(out, 1)})
	}
	return all, nil
}

func (t *inputs) Profile(context.Context, *target.Cell, target.Profiling) (process.Outcome, error) {
	return process.Outcome{}, target.ErrNoProfile
}

// A further kind of target is measured, judged, recorded and taken up again
// without an edit anywhere else.
func TestAnotherKindOfTarget(t *testing.T) {
	modes, err := mode.Parse("default,GOGC=50")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plan := experiment.Plan{
		Target: &inputs{self(t), map[string][]string{"small": nil, "large": {"1", "2", "3"}}},
		Modes:  modes, Dir: dir, OutDir: filepath.Join(dir, "out"), Blocks: 9, Seed: 1,
	}
	doc := experiment.NewDocument()
	if err := experiment.Run(t.Context(), plan, doc, nil); err != nil {
		t.Fatal(err)
	}
	doc, err = result.Load(t.Context(), filepath.Join(plan.OutDir, experiment.ReportFile))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, b := range doc.Benchmarks {
		keys = append(keys, b.Key.String())
	}
	if want := []string{"inputs/large", "inputs/small"}; !slices.Equal(keys, want) || len(doc.Runs) != 9*3*2 || len(doc.Failures) > 0 {
		t.Errorf("%d runs of %q, failures %+v", len(doc.Runs), keys, doc.Failures)
	}
	for _, key := range keys {
		judged := func(e verdict.Effect) bool {
			return e.Key.String() == key && e.Metric == sample.Primary && e.Mode == "GOGC=50" && e.Baseline > 0
		}
		if !slices.ContainsFunc(doc.Effects, judged) {
			t.Errorf("%s has no verdict on CPU", key)
		}
	}
	if line := doc.Modes[1].Run[0]; !strings.HasPrefix(line, "GOGC=50 ") || !strings.HasSuffix(line, " # with each input") {
		t.Errorf("it was run as %q", line)
	}

	var recorded inputs
	if p := doc.Plan; p.Target.Kind != "inputs" || p.Budget != 10*time.Minute || json.Unmarshal(p.Target.Spec, &recorded) != nil || len(recorded.Inputs) != 2 {
		t.Errorf("the document holds the plan %+v", p)
	}
	if _, err := experiment.Planned(t.Context(), doc); err == nil || !strings.Contains(err.Error(), `does not know targets of the kind "inputs"`) {
		t.Errorf("the kind is not in the list of those that can be read: %v", err)
	}
	again, runs, err := experiment.Resume(plan.OutDir)
	if err != nil {
		t.Fatal(err)
	}
	plan.Blocks = 10
	if err := experiment.Run(t.Context(), plan, again, runs); err != nil || again.Blocks < 9 {
		t.Errorf("it went on to %d blocks: %v", again.Blocks, err)
	}
	if _, err := experiment.Record(t.Context(), plan, experiment.NewDocument(), t.TempDir()); !errors.Is(err, target.ErrNoProfile) {
		t.Errorf("profiling it: %v", err)
	}
}
