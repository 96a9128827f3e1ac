package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// recording is how benchmarks are profiled for some metrics.
type recording struct {
	metrics []string
	setting string // a mode in which both sides run
	runTime time.Duration
	files   func(experiment.Recording) []string
}

var recordings = []recording{
	// Every allocation is recorded, so that the lines add up to the measured total;
	// but the clock then shows the recording.
	{[]string{"B/op", "allocs/op"}, "GODEBUG=memprofilerate=1", DefaultRunTime,
		func(r experiment.Recording) []string { return r.Heap }},
	// 300 samples: a line's growth of a tenth of all CPU is seen in them.
	{[]string{sample.Primary}, "", 3 * time.Second, func(r experiment.Recording) []string { return r.CPU }},
}

// maxProfiled bounds the benchmarks that are profiled: if more fail at once, they
// mostly fail for one reason.
const maxProfiled = 8

// blame profiles the benchmarks that failed on both sides and gives the rows the
// lines that they grew by.
func (g *Gate) blame(ctx context.Context, r *Result) error {
	if r.Count(Fail) == 0 {
		return nil
	}
	// Lines have other numbers on the other side wherever the change added or removed some.
	tree, moves, err := compareTrees(ctx, g.plan)
	if err != nil {
		return err
	}
	scratch, err := result.Scratch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	plan := g.plan
	plan.OutDir = scratch
	for i, how := range recordings {
		keys := failing(r, how.metrics)
		if len(keys) == 0 {
			continue
		}
		if len(keys) > maxProfiled {
			r.Warnings = append(r.Warnings,
				fmt.Sprintf("%d benchmarks grew in %s; the lines of the %d that grew most are named", len(keys),
					strings.Join(how.metrics, " and "), maxProfiled))
			keys = keys[:maxProfiled]
		}
		base, head, err := how.both(ctx, plan, g.packages, keys, filepath.Join(scratch, fmt.Sprint(i)))
		if ctx.Err() != nil {
			return err
		}
		if err != nil { // the next recording may succeed
			r.Warnings = append(r.Warnings, fmt.Sprintf("the lines responsible for %s could not be found: %v",
				strings.Join(how.metrics, " and "), err))
			continue
		}
		for j := range r.Rows {
			row := &r.Rows[j]
			b, h := base[row.Key], head[row.Key]
			if row.Outcome == Fail && slices.Contains(how.metrics, row.Metric) && b.Profile != nil && h.Profile != nil {
				row.Sites = Grown(row.Metric, b, h, tree, moves)
			}
		}
	}
	return nil
}

// failing returns the benchmarks that fail by one of the metrics, the worst
// first.
func failing(r *Result, metrics []string) []sample.Key {
	var keys []sample.Key
	for _, row := range r.Rows {
		if row.Outcome == Fail && slices.Contains(metrics, row.Metric) && !slices.Contains(keys, row.Key) {
			keys = append(keys, row.Key)
		}
	}
	return keys
}

// both profiles benchmarks on the base and, with as many iterations, on the head.
func (how recording) both(ctx context.Context, plan experiment.Plan, packages target.Packages, keys []sample.Key,
	dir string) (base, head map[sample.Key]Side, err error) {
	// One side may lack packages that have none of the benchmarks.
	packages.Only, packages.Names = keys, nil
	for _, k := range keys {
		if !slices.Contains(packages.Names, k.Package) {
			packages.Names = append(packages.Names, k.Package)
		}
	}
	plan.Target, plan.RunTime = &packages, how.runTime
	modes := plan.Modes
	var settings []mode.Setting
	if how.setting != "" {
		parsed, err := mode.Parse(how.setting)
		if err != nil {
			return nil, nil, err
		}
		settings = parsed[0].Settings
	}
	doc := &result.Document{Schema: result.Schema, Machine: machine.This()}
	sides := make([]map[sample.Key]Side, len(modes))
	for i, m := range modes {
		m.Settings = slices.Concat(m.Settings, settings)
		plan.Modes = []mode.Mode{m}
		if sides[i], err = how.record(ctx, plan, doc, filepath.Join(dir, m.Name)); err != nil {
			return nil, nil, fmt.Errorf("profiling the %s: %w", m.Name, err)
		}
	}
	return sides[0], sides[1], nil
}

func (how recording) record(ctx context.Context, plan experiment.Plan, doc *result.Document,
	dir string) (map[sample.Key]Side, error) {
	all, err := experiment.Record(ctx, plan, doc, dir)
	if err != nil {
		return nil, err
	}
	sides := map[sample.Key]Side{}
	for _, r := range all {
		p, err := profile.MergeFiles(how.files(r)...)
		if err != nil {
			return nil, err
		}
		for _, b := range doc.Benchmarks {
			if b.Key == r.Key {
				sides[r.Key] = Side{Profile: p, Iterations: b.Iterations}
			}
		}
	}
	return sides, nil
}
