// Ceilings holds what diagnose predicts against the truth. For each of a number
// of programs that have a fault and a cure behind a build tag it profiles the
// faulty one, predicts what removing the allocations of the faulty sites would
// save of the CPU time, and then measures the cured one against it as compare
// does.
//
//	go -C bench run ./ceilings
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// options are the flags.
type options struct {
	root, out string
	record    time.Duration
	blocks    int
	runTime   time.Duration
	only      *regexp.Regexp
	again     bool
}

func main() {
	var o options
	flag.StringVar(&o.root, "C", "..", "run in `DIR`, the root of the repository")
	flag.StringVar(&o.out, "o", "../heapwright-out/ceilings", "keep all raw data in `DIR`")
	flag.DurationVar(&o.record, "record", 4*time.Second, "profile each faulty program for so long")
	flag.DurationVar(&o.runTime, "run-time", 250*time.Millisecond, "of one run that is compared")
	flag.IntVar(&o.blocks, "blocks", 12, "compare in `N` blocks")
	flag.BoolVar(&o.again, "again", false, "run nothing: predict from the profiles, and read the comparisons, that an earlier run kept")
	only := flag.String("only", "", "only pairs that match `REGEXP`")
	flag.Parse()
	o.only = regexp.MustCompile(*only)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "ceilings:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	fmt.Println("| pair | predicted | width | measured | inside |")
	fmt.Println("| --- | ---: | ---: | ---: | --- |")
	inside, narrow, n := 0, 0, 0
	for _, p := range all() {
		if !o.only.MatchString(p.name) {
			continue
		}
		predicted, detail, err := p.predict(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		truth, err := p.measure(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		n++
		width := (predicted.High - predicted.Low) / 2 / predicted.Middle()
		holds := predicted.Low <= truth.share && truth.share <= predicted.High
		if holds {
			inside++
		}
		if width <= 0.35 {
			narrow++
		}
		fmt.Printf("| %s | %.1f–%.1f %% | ±%.0f %% | %.1f %% [%.1f, %.1f] | %v |\n", p.name, 100*predicted.Low, 100*predicted.High,
			100*width, 100*truth.share, 100*truth.low, 100*truth.high, map[bool]string{true: "yes", false: "no"}[holds])
		fmt.Fprintln(os.Stderr, detail)
	}
	fmt.Printf("\n%d of %d inside, %d of %d at most ±35 %% wide\n", inside, n, narrow, n)
	return nil
}

// predict profiles the faulty program and adds up the ceilings of its sites.
func (p pair) predict(ctx context.Context, o options) (diagnose.Range, string, error) {
	recordings, err := p.record(ctx, o)
	if err != nil {
		return diagnose.Range{}, "", err
	}
	profiles := diagnose.NewProfiles(0)
	for _, r := range recordings {
		for _, file := range append(r.CPU, r.Heap...) {
			if err := profiles.AddFile(file); err != nil {
				return diagnose.Range{}, "", err
			}
		}
	}
	e, err := diagnose.Gather(profiles, nil, diagnose.RuntimeOf(recordings))
	if err != nil {
		return diagnose.Range{}, "", err
	}
	sum := e.Removing(func(s *diagnose.Site) bool { return p.removes.MatchString(s.Function) })
	detail := fmt.Sprintf("%s: %.0f samples, %.3f by class", p.name, e.Costs.Samples, e.Costs.Classes)
	return sum, detail, nil
}

// record runs the faulty program with profiles, or finds those of an earlier run.
func (p pair) record(ctx context.Context, o options) ([]experiment.Recording, error) {
	out := filepath.Join(o.out, p.name, "profiles")
	if o.again {
		one := filepath.Join(out, "000")
		dump, err := probe.ReadDump(filepath.Join(one, "probe"))
		if err != nil {
			return nil, err
		}
		cpu, err := profile.ReadFile(filepath.Join(one, "cpu"))
		if err != nil {
			return nil, err
		}
		return []experiment.Recording{{CPU: []string{filepath.Join(one, "cpu")}, Heap: []string{filepath.Join(one, "heap")},
			Dump: &dump, Seconds: float64(cpu.DurationNanos) / 1e9}}, nil
	}
	modes, err := mode.Parse("default")
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(o.root, p.dir))
	if err != nil {
		return nil, err
	}
	return experiment.Record(ctx, experiment.Plan{
		Target: &experiment.Packages{Names: []string{p.pkg}, Bench: p.bench}, Modes: modes, Dir: dir, RunTime: o.record,
	}, document(p), out)
}

// saved is a measured share with its interval.
type saved struct{ share, low, high float64 }

// measure compares the cured program with the faulty one.
func (p pair) measure(ctx context.Context, o options) (saved, error) {
	if o.again {
		doc, err := result.Load(filepath.Join(o.out, p.name, experiment.ReportFile))
		if err != nil {
			return saved{}, err
		}
		return p.saving(doc)
	}
	modes, err := mode.Parse("default," + p.cure)
	if err != nil {
		return saved{}, err
	}
	dir, err := filepath.Abs(filepath.Join(o.root, p.dir))
	if err != nil {
		return saved{}, err
	}
	doc := document(p)
	err = experiment.Run(ctx, experiment.Plan{
		Target: &experiment.Packages{Names: []string{p.pkg}, Bench: p.bench}, Modes: modes, Dir: dir,
		OutDir: filepath.Join(o.out, p.name), RunTime: o.runTime, Blocks: o.blocks, Seed: 1,
	}, doc, nil)
	if err != nil {
		return saved{}, err
	}
	return p.saving(doc)
}

// saving finds the cure's effect on CPU time.
func (p pair) saving(doc *result.Document) (saved, error) {
	for _, e := range doc.Effects {
		if e.Metric == sample.Primary && e.Mode == p.cure {
			return effect(e), nil
		}
	}
	return saved{}, fmt.Errorf("no effect on %s was measured", sample.Primary)
}

func effect(e verdict.Effect) saved { return saved{1 - e.Ratio, 1 - e.High, 1 - e.Low} }

func document(p pair) *result.Document {
	return &result.Document{Schema: result.Schema, Started: time.Now().UTC(), Machine: probe.ThisMachine(), Target: p.pkg}
}
