// Ceilings compares the predictions of diagnose with measurements. Each of its
// programs has a fault, and a cure behind a build tag. It profiles the faulty
// program, predicts the CPU time that removing the allocations of the faulty sites
// would save, and measures the cured program against it as compare does. If a cure
// leaves some of these allocations, the prediction is for the bytes that it saves,
// which the B/op of both programs gives exactly. It prints docs/results/ceilings.md.
//
// With -price, it measures the prices of the faulty lines instead, for docs/results/prices.md.
//
//	go -C bench run ./ceilings > docs/results/ceilings.md
//	go -C bench run ./ceilings -price > docs/results/prices.md
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/workload"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// options are the flags.
type options struct {
	out          string
	record       time.Duration
	blocks       int
	runTime      time.Duration
	only         regexp.Regexp
	again, price bool
	pricing      time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.out, "o", "../heapwright-out/ceilings", "keep all raw data in `DIR`")
	flag.DurationVar(&o.record, "record", 6*time.Second, "profile each faulty program for so long")
	flag.DurationVar(&o.runTime, "run-time", 250*time.Millisecond, "of one run that is compared")
	flag.IntVar(&o.blocks, "blocks", 12, "compare in `N` blocks")
	flag.BoolVar(&o.again, "again", false, "run nothing: predict from the profiles or join the prices, and read the comparisons, that an earlier run kept")
	flag.BoolVar(&o.price, "price", false, "measure prices instead of predicting, and print docs/results/prices.md")
	flag.DurationVar(&o.pricing, "pricing", 45*time.Second, "the `TIME` for the prices of a pair")
	flag.TextVar(&o.only, "only", regexp.MustCompile(""), "only pairs that match `REGEXP`")
	program.Main(func(ctx context.Context) error {
		if o.price {
			return prices(ctx, o)
		}
		return run(ctx, o)
	})
}

//go:embed about.txt
var about string

func run(ctx context.Context, o options) error {
	fmt.Print(page.Head("ceilings", "ceilings.md", "Predicted and measured savings of planted faults", about))
	fmt.Print(page.Columns("pair", "predicted:", "width:", "measured:", "inside"))
	inside, narrow, n := 0, 0, 0
	for _, p := range all() {
		if !o.only.MatchString(p.name) {
			continue
		}
		e, err := p.evidence(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		truth, err := p.measure(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		predicted := p.predict(e, truth.bytes)
		n++
		width := (predicted.High - predicted.Low) / 2 / predicted.Middle()
		holds := predicted.Low <= truth.share && truth.share <= predicted.High
		if holds {
			inside++
		}
		if width <= 0.35 {
			narrow++
		}
		fmt.Printf("| %s | %.1f–%.1f%% | ±%.0f%% | %s %s | %s |\n", p.name, 100*predicted.Low, 100*predicted.High,
			100*width, format.Share(truth.share), format.ShareInterval(truth.low, truth.high), page.YesNo(holds))
		fmt.Fprintf(os.Stderr, "%s: %.0f samples, %.3f by class\n", p.name, e.Costs.Samples, e.Costs.Classes)
	}
	fmt.Printf("\n%d of %d inside, %d of %d at most ±35%% wide\n", inside, n, narrow, n)
	return nil
}

// evidence profiles the faulty program.
func (p pair) evidence(ctx context.Context, o options) (*evidence.Evidence, error) {
	recordings, err := p.record(ctx, o)
	if err != nil {
		return nil, err
	}
	profiles := evidence.NewProfiles(0)
	for _, r := range recordings {
		for _, file := range append(r.CPU, r.Heap...) {
			if err := profiles.AddFile(file); err != nil {
				return nil, err
			}
		}
	}
	return evidence.New(ctx, profiles, nil, diagnose.RuntimeOf(recordings))
}

// predict adds up the ceilings of the faulty sites, for a cure that spares a
// share of all bytes allocated.
func (p pair) predict(e *evidence.Evidence, spared float64) evidence.Range {
	removed := func(s *evidence.Site) bool { return p.removes.MatchString(s.Function) }
	var all, faulty float64
	for i := range e.Sites {
		s := &e.Sites[i]
		all += s.Recent.Bytes
		if removed(s) {
			faulty += s.Recent.Bytes
		}
	}
	return e.CombinedCeiling(min(1, spared*all/max(faulty, 1)), removed)
}

// record runs the faulty program with profiles, or finds the profiles of an earlier run.
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
	plan, err := workload.Plan(p.pkg, p.bench, "default")
	if err != nil {
		return nil, err
	}
	plan.RunTime = o.record
	return experiment.Record(ctx, plan, experiment.NewDocument(), out)
}

// saving is a measured share of CPU time with its interval, and the shares of the
// bytes and objects allocated that went with it.
type saving struct{ share, low, high, bytes, objects float64 }

// measure compares the cured program with the faulty one.
func (p pair) measure(ctx context.Context, o options) (saving, error) {
	plan, err := workload.Plan(p.pkg, p.bench, "default,"+p.cure)
	if err != nil {
		return saving{}, err
	}
	plan.OutDir, plan.RunTime, plan.Blocks, plan.Seed = filepath.Join(o.out, p.name), o.runTime, o.blocks, 1
	var doc *result.Document
	if o.again {
		doc, err = result.Load(ctx, filepath.Join(plan.OutDir, experiment.ReportFile))
	} else {
		doc, err = workload.Run(ctx, plan)
	}
	if err != nil {
		return saving{}, err
	}
	return p.saving(doc)
}

// saving finds the cure's effects.
func (p pair) saving(doc *result.Document) (saving, error) {
	var s saving
	found := 0
	for _, e := range doc.Effects {
		switch {
		case e.Mode != p.cure:
		case e.Metric == sample.Primary:
			s.share, s.low, s.high = 1-e.Ratio, 1-e.High, 1-e.Low
			found++
		case e.Metric == "B/op":
			s.bytes = 1 - e.Ratio
			found++
		case e.Metric == "allocs/op":
			s.objects = 1 - e.Ratio
		}
	}
	if found != 2 {
		return saving{}, fmt.Errorf("no effect on %s and B/op was measured; see its results.txt", sample.Primary)
	}
	return s, nil
}
