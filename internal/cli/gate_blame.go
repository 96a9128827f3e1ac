package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// recording is how benchmarks are profiled for some metrics.
type recording struct {
	metrics []string
	setting string // of both sides
	runTime time.Duration
	files   func(experiment.Recording) []string
}

var recordings = []recording{
	// Every allocation is recorded, so that the lines add up to what was
	// measured; but the clock then shows the recording.
	{[]string{"B/op", "allocs/op"}, "GODEBUG=memprofilerate=1", gateRunTime, func(r experiment.Recording) []string { return r.Heap }},
	// 300 samples: a line's growth of a tenth of all CPU is seen in them.
	{[]string{sample.Primary}, "", 3 * time.Second, func(r experiment.Recording) []string { return r.CPU }},
}

// mostBlamed bounds the benchmarks that are profiled: where more fail at once
// they mostly fail for one reason.
const mostBlamed = 8

// blame profiles the benchmarks that failed on both sides and gives the rows the
// lines that they grew by.
func blame(ctx context.Context, env Env, plan experiment.Plan, r *gate.Result) error {
	if r.Count(gate.Fail) == 0 {
		return nil
	}
	tree, moves, err := compareTrees(ctx, plan)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "heapwright-gate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	plan.Handler, plan.OutDir = progress, scratch
	for i, how := range recordings {
		keys := failing(r, how.metrics)
		if len(keys) == 0 {
			continue
		}
		if len(keys) > mostBlamed {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%d benchmarks grew in %s; the lines of the %d that grew most are named", len(keys), strings.Join(how.metrics, " and "), mostBlamed))
			keys = keys[:mostBlamed]
		}
		base, head, err := how.both(ctx, plan, keys, filepath.Join(scratch, fmt.Sprint(i)))
		if err != nil {
			return err
		}
		for j := range r.Rows {
			row := &r.Rows[j]
			b, h := base[row.Key], head[row.Key]
			if row.Outcome == gate.Fail && slices.Contains(how.metrics, row.Metric) && b.Profile != nil && h.Profile != nil {
				row.Sites = gate.Grown(row.Metric, b, h, tree, moves)
			}
		}
	}
	return nil
}

// failing returns the benchmarks that fail by one of the metrics, the worst
// first.
func failing(r *gate.Result, metrics []string) []sample.Key {
	var keys []sample.Key
	for _, row := range r.Rows {
		if row.Outcome == gate.Fail && slices.Contains(metrics, row.Metric) && !slices.Contains(keys, row.Key) {
			keys = append(keys, row.Key)
		}
	}
	return keys
}

// both profiles benchmarks on the base and, with as many iterations, on the head.
func (how recording) both(ctx context.Context, plan experiment.Plan, keys []sample.Key, dir string) (base, head map[sample.Key]gate.Side, err error) {
	target := *plan.Target.(*experiment.Packages)
	target.Only, target.Names = keys, nil // of the packages, one side may lack the others
	for _, k := range keys {
		if !slices.Contains(target.Names, k.Package) {
			target.Names = append(target.Names, k.Package)
		}
	}
	plan.Target, plan.RunTime = &target, how.runTime
	modes := plan.Modes
	var settings []mode.Setting
	if how.setting != "" {
		parsed, err := mode.Parse(how.setting)
		if err != nil {
			return nil, nil, err
		}
		settings = parsed[0].Settings
	}
	doc := &result.Document{Schema: result.Schema, Machine: probe.ThisMachine()}
	sides := make([]map[sample.Key]gate.Side, len(modes))
	for i, m := range modes {
		m.Settings = slices.Concat(m.Settings, settings)
		plan.Modes = []mode.Mode{m}
		if sides[i], err = how.record(ctx, plan, doc, filepath.Join(dir, m.Name)); err != nil {
			return nil, nil, fmt.Errorf("profiling the %s: %w", m.Name, err)
		}
	}
	return sides[0], sides[1], nil
}

func (how recording) record(ctx context.Context, plan experiment.Plan, doc *result.Document, dir string) (map[sample.Key]gate.Side, error) {
	all, err := experiment.Record(ctx, plan, doc, dir)
	if err != nil {
		return nil, err
	}
	sides := map[sample.Key]gate.Side{}
	for _, r := range all {
		p, err := profile.MergeFiles(how.files(r)...)
		if err != nil {
			return nil, err
		}
		for _, b := range doc.Benchmarks {
			if b.Key == r.Key {
				sides[r.Key] = gate.Side{Profile: p, Iterations: b.Iterations}
			}
		}
	}
	return sides, nil
}

// compareTrees finds out where the program's modules are in the repository and
// how its lines moved from the base to the head.
func compareTrees(ctx context.Context, plan experiment.Plan) (gate.Tree, gate.Moves, error) {
	top, err := output(ctx, plan.Dir, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, nil, err
	}
	list, err := output(ctx, plan.Dir, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, nil, err
	}
	root, err := filepath.EvalSymlinks(strings.TrimSpace(string(top)))
	if err != nil {
		return nil, nil, err
	}
	tree := gate.Tree{}
	for line := range strings.Lines(string(list)) { // several in a workspace
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return nil, nil, err
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, nil, err
		}
		tree[module] = filepath.ToSlash(rel)
	}
	args := slices.Clone(gate.DiffArgs)
	for _, m := range plan.Modes {
		if rev := m.Revision(); rev != "" {
			args = append(args, rev)
		}
	}
	diff, err := output(ctx, root, "git", append(args, "--", "*.go")...)
	if err != nil {
		return nil, nil, err
	}
	moves, err := gate.ReadMoves(bytes.NewReader(diff))
	return tree, moves, err
}

// output runs a command and returns what it printed. An error is the first line
// that it complained with.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if words, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n"); words != "" {
			err = errors.New(words)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return out, nil
}
