package verdict

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/sample"
)

// twoModes draws blocks of two modes, each with a control that repeats it with
// the same factor, so that δ is the same whichever is the baseline.
func twoModes(rt *rapid.T) (runs []sample.Run) {
	blocks := rapid.IntRange(1, 24).Draw(rt, "blocks")
	effect := rapid.Float64Range(-0.3, 0.3).Draw(rt, "effect")
	value := rapid.Float64Range(-0.1, 0.1)
	for block := 1; block <= blocks; block++ {
		a := math.Exp(value.Draw(rt, "a"))
		b := a * math.Exp(effect+value.Draw(rt, "b"))
		control := math.Exp(value.Draw(rt, "control") / 2)
		for mode, v := range map[string]float64{"a": a, "b": b, "a#control": a * control, "b#control": b * control} {
			runs = append(runs, sample.Run{Key: sample.Key{Benchmark: "X"}, Mode: mode, Block: block, Values: map[string]float64{sample.Primary: v}})
		}
	}
	return runs
}

// effect judges mode against baseline, alone.
func effect(rt *rapid.T, runs []sample.Run, baseline, mode string) (Effect, Summary) {
	var some []sample.Run
	for _, r := range runs {
		if r.Mode == baseline || r.Mode == baseline+sample.ControlSuffix || r.Mode == mode {
			some = append(some, r)
		}
	}
	j, err := Judge(some, Options{Baseline: baseline})
	if err != nil {
		rt.Fatal(err)
	}
	return j.Effects[0], j.Summaries[0]
}

func TestSwappingBaselineAndCandidateMirrors(t *testing.T) {
	mirror := map[Verdict]Verdict{Better: Worse, Worse: Better, Same: Same, Inconclusive: Inconclusive}
	rapid.Check(t, func(rt *rapid.T) {
		runs := twoModes(rt)
		ab, _ := effect(rt, runs, "a", "b")
		ba, _ := effect(rt, runs, "b", "a")
		if ba.Verdict != mirror[ab.Verdict] || ba.Level != ab.Level || ba.Blocks != ab.Blocks {
			rt.Fatalf("%+v, swapped %+v", ab, ba)
		}
		for _, pair := range [][2]float64{{ab.Ratio, 1 / ba.Ratio}, {ab.Low, 1 / ba.High}, {ab.High, 1 / ba.Low}, {ab.Delta, ba.Delta}} {
			if pair[0] != pair[1] && math.Abs(pair[0]/pair[1]-1) > 1e-9 {
				rt.Fatalf("%+v, swapped %+v", ab, ba)
			}
		}
	})
}

func TestVerdictsDoNotDependOnUnitsOrOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		runs := twoModes(rt)
		want, wantSummary := effect(rt, runs, "a", "b")
		scaled := make([]sample.Run, len(runs))
		for i, r := range runs {
			scaled[i] = r
			scaled[i].Values = map[string]float64{sample.Primary: r.Values[sample.Primary] * 1024} // exact, so that ties stay ties
		}
		got, gotSummary := effect(rt, rapid.Permutation(scaled).Draw(rt, "order"), "a", "b")
		same := cmp.Options{cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.IgnoreFields(Effect{}, "Baseline", "Candidate")}
		if diff := cmp.Diff(want, got, same); diff != "" {
			rt.Fatal(diff)
		}
		if diff := cmp.Diff(wantSummary, gotSummary, same); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestEffectProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e, _ := effect(rt, twoModes(rt), "a", "b")
		if !(e.Low <= e.Ratio && e.Ratio <= e.High) {
			rt.Fatalf("the interval lacks its estimate: %+v", e)
		}
		if !(e.P > 0 && e.P <= 1) || !(e.Level > 0 && e.Level <= 0.05) || e.Delta < leastDelta-1e-12 {
			rt.Fatalf("%+v", e)
		}
		var want Verdict
		switch band := 1 + e.Delta; {
		case e.High < 1/band:
			want = Better
		case e.Low > band:
			want = Worse
		case e.Low > 1/band && e.High < band:
			want = Same
		default:
			want = Inconclusive
		}
		if e.Verdict != want || (e.MoreBlocks > 0) != (want == Inconclusive) {
			rt.Fatalf("the interval says %s: %+v", want, e)
		}
	})
}
