package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/sample"
)

const base = "default"

// figures gives the value of a metric in a mode and block.
type figures func(mode string, block int) float64

// measured makes complete blocks of the modes, a control among them.
func measured(blocks int, modes []string, metrics map[string]figures) (runs []sample.Run) {
	for block := 1; block <= blocks; block++ {
		for _, mode := range append([]string{base, base + sample.ControlSuffix}, modes...) {
			r := sample.Run{Key: sample.Key{Package: "example.com/tree", Benchmark: "Build-2"}, Mode: mode, Block: block, Values: map[string]float64{}}
			for name, f := range metrics {
				r.Values[name] = f(mode, block)
			}
			runs = append(runs, r)
		}
	}
	return runs
}

// times gives x for the baseline and its control, and x times the factor for
// any other mode.
func times(x, factor float64) figures {
	return func(mode string, _ int) float64 {
		if strings.HasPrefix(mode, base) {
			return x
		}
		return x * factor
	}
}

// noisy multiplies with noise of so much a run, the same for the same seed.
func noisy(f figures, sigma float64, seed uint64) figures {
	r := rand.New(rand.NewPCG(seed, 0))
	return func(mode string, block int) float64 { return f(mode, block) * math.Exp(sigma*r.NormFloat64()) }
}

func judge(t testing.TB, runs []sample.Run, opt Options) Judgement {
	t.Helper()
	opt.Baseline = base
	j, err := Judge(runs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func only(t testing.TB, f figures, metric string, blocks int) Effect {
	t.Helper()
	j := judge(t, measured(blocks, []string{"new"}, map[string]figures{metric: f}), Options{})
	if len(j.Effects) != 1 {
		t.Fatalf("%d effects, want 1", len(j.Effects))
	}
	return j.Effects[0]
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name   string
		metric string
		f      figures
		want   Verdict
	}{
		{"exactly 5% more", "allocs/op", times(100, 1.05), Worse},
		{"exactly 5% less", "B/op", times(4096, 0.95), Better},
		{"exactly the same", "allocs/op", times(17, 1), Same},
		{"half a percent more, exactly", "B/op", times(1000, 1.005), Same},
		{"no allocation in either", "allocs/op", times(0, 1), Same},
		{"10% more in noise of 2%", sample.Primary, noisy(times(3, 1.1), 0.02, 1), Worse},
		{"10% less in noise of 2%", sample.Primary, noisy(times(3, 0.9), 0.02, 2), Better},
		{"a rate that rises", "req/s", times(500, 1.2), Better},
		{"a rate that falls", "req/s", times(500, 0.8), Worse},
		{"the same in noise of 0.3%", sample.Primary, noisy(times(3, 1), 0.003, 3), Same},
		{"the same in noise of 10%", sample.Primary, noisy(times(3, 1), 0.1, 4), Inconclusive},
	} {
		e := only(t, c.f, c.metric, 12)
		if e.Verdict != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, e.Verdict, c.want, e)
		}
		if e.Ratio < e.Low || e.Ratio > e.High {
			t.Errorf("%s: [%v, %v] without the estimate %v", c.name, e.Low, e.High, e.Ratio)
		}
		if (e.MoreBlocks > 0) != (c.want == Inconclusive) {
			t.Errorf("%s: %d more blocks for %s", c.name, e.MoreBlocks, e.Verdict)
		}
	}
}

func TestChangesFromAndToZero(t *testing.T) {
	fromZero := func(mode string, _ int) float64 {
		if mode == "new" {
			return 3
		}
		return 0
	}
	toZero := func(mode string, _ int) float64 { return 3 - fromZero(mode, 0) }
	if e := only(t, fromZero, "allocs/op", 12); e.Verdict != Worse || !math.IsInf(e.Ratio, 1) || !math.IsInf(e.Low, 1) || e.Candidate != 3 {
		t.Errorf("0 → 3: %+v", e)
	}
	if e := only(t, toZero, "allocs/op", 12); e.Verdict != Better || e.Ratio != 0 || e.High != 0 || e.Baseline != 3 {
		t.Errorf("3 → 0: %+v", e)
	}
	// Now and then a fault in either mode: no claim, and every figure defined.
	sometimes := func(mode string, block int) float64 {
		if (mode == "new") == (block%2 == 0) {
			return 1
		}
		return 0
	}
	if e := only(t, sometimes, "faults", 12); e.Verdict != Inconclusive || math.IsNaN(e.Ratio) || math.IsNaN(e.Low) || math.IsNaN(e.High) || math.IsNaN(e.Delta) {
		t.Errorf("now and then: %+v", e)
	}
}

// Whatever the size of the family, an exact change of 5% is found at the
// first analysis that was planned for it.
func TestExactChangesAreFoundInAnyFamily(t *testing.T) {
	for _, modes := range []int{1, 5, 30, 200} {
		names := make([]string, modes)
		for i := range names {
			names[i] = fmt.Sprintf("mode%d", i)
		}
		analyses, _ := PlanAnalyses(modes, 0)
		j := judge(t, measured(analyses[0], names, map[string]figures{"allocs/op": times(20, 1.05)}), Options{Analyses: analyses})
		for _, e := range j.Effects {
			if e.Verdict != Worse || e.Low != e.High {
				t.Fatalf("%d modes, %d blocks: %+v", modes, analyses[0], e)
			}
		}
	}
}

func TestNoiseOfTheControlHidesSmallEffects(t *testing.T) {
	small := times(1, 1.03)
	if e := only(t, noisy(small, 0.0001, 1), sample.Primary, 12); e.Verdict != Worse || math.Abs(e.Delta-0.01) > 1e-12 {
		t.Errorf("quiet: %s with δ = %v, want worse at 0.01", e.Verdict, e.Delta)
	}
	// The control differs by 5% itself, as when files lie in unlike places.
	shifted := func(mode string, block int) float64 {
		if mode == base+sample.ControlSuffix {
			return 1.05
		}
		return small(mode, block)
	}
	if e := only(t, shifted, sample.Primary, 12); e.Verdict != Same || math.Abs(e.Delta-0.05) > 1e-9 {
		t.Errorf("shifted: %s with δ = %v, want same at 0.05", e.Verdict, e.Delta)
	}
}

func TestMissingBlocksAreDroppedAndTold(t *testing.T) {
	runs := measured(14, []string{"new"}, map[string]figures{sample.Primary: noisy(times(1, 1.2), 0.01, 1)})
	var kept []sample.Run
	for _, r := range runs {
		if r.Mode == "new" && r.Block == 3 {
			continue // this run crashed
		}
		if r.Mode == base && r.Block == 7 {
			r.Values = map[string]float64{sample.Primary: math.NaN()}
		}
		kept = append(kept, r)
	}
	j := judge(t, kept, Options{})
	e := j.Effects[0]
	if e.Blocks != 12 || e.Verdict != Worse || len(e.Warnings) != 1 || e.Warnings[0] != "2 of 14 blocks gave no pair of figures" {
		t.Errorf("%+v", e)
	}
	if j.Blocks != 14 {
		t.Errorf("%d blocks, want 14", j.Blocks)
	}
}

func TestTooFewBlocksAreInconclusive(t *testing.T) {
	for blocks := 1; blocks < 5; blocks++ {
		e := only(t, times(1, 2), sample.Primary, blocks)
		if e.Verdict != Inconclusive || e.Low != 0 || !math.IsInf(e.High, 1) || len(e.Warnings) != 1 {
			t.Errorf("%d blocks: %+v", blocks, e)
		}
		// The level of the first analysis, 1%, needs 8 pairs: 2/2⁸ = 0.8%.
		if e.MoreBlocks != 8-blocks {
			t.Errorf("%d blocks: %d more, want %d", blocks, e.MoreBlocks, 8-blocks)
		}
	}
}

func TestWithoutControlDeltaIsItsMinimum(t *testing.T) {
	var runs []sample.Run
	for _, r := range measured(12, []string{"new"}, map[string]figures{sample.Primary: times(1, 1.2)}) {
		if !strings.HasSuffix(r.Mode, sample.ControlSuffix) {
			runs = append(runs, r)
		}
	}
	j := judge(t, runs, Options{})
	if e := j.Effects[0]; math.Abs(e.Delta-0.01) > 1e-12 || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "no A/A control") {
		t.Errorf("%+v", e)
	}
	if len(j.Control) != 0 {
		t.Errorf("control %+v out of nothing", j.Control)
	}
}

func TestControlIsShownAndNotACandidate(t *testing.T) {
	j := judge(t, measured(12, []string{"new"}, map[string]figures{sample.Primary: noisy(times(1, 1.2), 0.01, 1)}), Options{})
	if len(j.Effects) != 1 || len(j.Summaries) != 1 || len(j.Control) != 1 {
		t.Fatalf("%d effects, %d summaries, %d controls", len(j.Effects), len(j.Summaries), len(j.Control))
	}
	if c := j.Control[0]; c.Mode != "default#control" || c.Verdict == Better || c.Verdict == Worse {
		t.Errorf("%+v", c)
	}
}

func TestOpenCountsThePrimaryMetricOnly(t *testing.T) {
	j := judge(t, measured(12, []string{"a", "b"}, map[string]figures{
		sample.Primary: noisy(times(1, 1.3), 0.01, 1),
		"sec/op":       noisy(times(1, 1.3), 0.5, 2),
	}), Options{})
	if j.Open != 0 {
		t.Errorf("%d open with CPU decided", j.Open)
	}
	j = judge(t, measured(12, []string{"a", "b"}, map[string]figures{sample.Primary: noisy(times(1, 1.01), 0.1, 1)}), Options{})
	if j.Open != 2 {
		t.Errorf("%d open, want 2", j.Open)
	}
}

func TestUnjudgedMetricsGiveNoEffects(t *testing.T) {
	j := judge(t, measured(12, []string{"new"}, map[string]figures{
		sample.Primary: times(1, 1.3), "page-faults/op": times(1, 2), "live-heap-bytes": times(1, 3), "hits": times(5, 1), "cost": times(-1, 2),
	}), Options{})
	var got []string
	for _, e := range j.Effects {
		got = append(got, e.Metric)
	}
	if want := []string{sample.Primary, "hits"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("metrics %v, want %v", got, want)
	}
	if len(j.Warnings) != 1 || !strings.Contains(j.Warnings[0], "cost of tree.Build-2 in mode new") {
		t.Errorf("warnings %q: want one about the negative cost", j.Warnings)
	}
}

func TestJudgeRefuses(t *testing.T) {
	runs := measured(2, []string{"new"}, map[string]figures{sample.Primary: times(1, 1)})
	for _, c := range []struct {
		name string
		runs []sample.Run
		opt  Options
		want string
	}{
		{"no baseline", runs, Options{Baseline: "other"}, `no run of the baseline "other"`},
		{"nothing", nil, Options{Baseline: base}, "among 0 runs"},
		{"a run twice", append(runs, runs[0]), Options{Baseline: base}, "block 1 holds two runs of tree.Build-2 in mode default"},
		{"too many analyses", runs, Options{Baseline: base, Analyses: []int{1, 2, 3, 4}}, "4 analyses"},
		{"analyses that fall", runs, Options{Baseline: base, Analyses: []int{20, 12}}, "must ascend"},
		{"no analysis", runs, Options{Baseline: base, Analyses: []int{}}, "0 analyses"},
	} {
		if _, err := Judge(c.runs, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
