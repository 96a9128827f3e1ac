package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// differences draws values with many ties and zeros as often as without.
func differences(least, most int) *rapid.Generator[[]float64] {
	whole := rapid.Map(rapid.IntRange(-5, 5), func(i int) float64 { return float64(i) })
	return rapid.OneOf(
		rapid.SliceOfN(whole, least, most),
		rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), least, most),
	)
}

func mapped(d []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(d))
	for i, x := range d {
		out[i] = f(x)
	}
	return out
}

func TestIntervalProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := differences(1, 25).Draw(rt, "d")
		alpha := rapid.Float64Range(1e-6, 0.999).Draw(rt, "alpha")
		p := mustDifferences(t, d)
		iv := p.Interval(alpha)
		if e := p.Estimate(); e < iv.Low || e > iv.High {
			rt.Fatalf("%v does not contain its estimate %v", iv, e)
		}
		if iv.Coverage < 1-alpha {
			rt.Fatalf("level %v is below %v", iv.Coverage, 1-alpha)
		}
		if wider := p.Interval(alpha / 2); wider.Low > iv.Low || wider.High < iv.High {
			rt.Fatalf("%v at %v does not contain %v at %v", wider, alpha/2, iv, alpha)
		}
		mirror := mustDifferences(t, mapped(d, func(x float64) float64 { return -x }))
		if m := mirror.Interval(alpha); m.Low != -iv.High || m.High != -iv.Low {
			rt.Fatalf("mirrored: %v, want the mirror of %v", m, iv)
		}
		// Doubling is exact in floating point: nothing may change but the scale.
		if s := mustDifferences(t, mapped(d, func(x float64) float64 { return 2 * x })).Interval(alpha); s.Low != 2*iv.Low || s.High != 2*iv.High {
			rt.Fatalf("scaled: %v, want twice %v", s, iv)
		}
	})
}

func TestPProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := differences(1, 25).Draw(rt, "d")
		p := mustDifferences(t, d).P()
		if !(p > 0 && p <= 1) {
			rt.Fatalf("p = %v", p)
		}
		if m := mustDifferences(t, mapped(d, func(x float64) float64 { return -x })).P(); math.Abs(m-p) > 1e-12 {
			rt.Fatalf("p = %v, mirrored %v", p, m)
		}
		if s := mustDifferences(t, mapped(d, func(x float64) float64 { return 2 * x })).P(); s != p {
			rt.Fatalf("p = %v, scaled %v", p, s)
		}
		shuffled := rapid.Permutation(d).Draw(rt, "shuffled")
		if s := mustDifferences(t, shuffled).P(); s != p {
			rt.Fatalf("p = %v, shuffled %v", p, s)
		}
	})
}

// TestPIsThePermutationDistribution counts all choices of signs.
func TestPIsThePermutationDistribution(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := differences(1, 10).Draw(rt, "d")
		ranks, observed := signedRanks(d)
		mean := 0.0
		for _, r := range ranks {
			mean += float64(r) / 2
		}
		far := 0
		for signs := range 1 << len(ranks) {
			sum := 0
			for i, r := range ranks {
				if signs>>i&1 == 1 {
					sum += r
				}
			}
			if math.Abs(float64(sum)-mean) >= math.Abs(float64(observed)-mean) {
				far++
			}
		}
		want := float64(far) / float64(int(1)<<len(ranks))
		if got := mustDifferences(t, d).P(); math.Abs(got-want) > 1e-12 {
			rt.Fatalf("p = %v, counted %v", got, want)
		}
	})
}

// Without ties, the interval leaves out zero exactly if the test rejects it.
func TestIntervalAndPAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SliceOfNDistinct(rapid.Float64Range(-10, 20), 1, 20, math.Abs).Draw(rt, "d")
		alpha := rapid.SampledFrom([]float64{0.1, 0.05, 0.01, 0.001}).Draw(rt, "alpha")
		p := mustDifferences(t, d)
		if slices.Contains(p.walsh, 0) {
			rt.Skip("a bound may lie on zero itself")
		}
		iv := p.Interval(alpha)
		if outside := iv.Low > 0 || iv.High < 0; outside != (p.P() <= alpha) {
			rt.Fatalf("%v, but p = %v", iv, p.P())
		}
	})
}

func TestSelectIsSort(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := differences(1, 40).Draw(rt, "s")
		want := Median(s)
		if got := medianSelect(slices.Clone(s)); got != want {
			rt.Fatalf("median of %v: %v, want %v", s, got, want)
		}
	})
}

// The p-values against a margin and the interval are two views of one statement.
func TestMarginAndIntervalAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := differences(1, 20).Draw(rt, "d")
		delta := rapid.Float64Range(0, 6).Draw(rt, "delta")
		alpha := rapid.SampledFrom([]float64{0.5, 0.1, 0.05, 0.01, 0.001}).Draw(rt, "alpha")
		p := mustDifferences(t, d)
		iv := p.Interval(alpha)
		if outside := iv.Low > delta || iv.High < -delta; outside != (p.Beyond(delta) <= alpha) {
			rt.Fatalf("%v is outside ±%v: %v, but p = %v", iv, delta, outside, p.Beyond(delta))
		}
		if inside := iv.Low > -delta && iv.High < delta; inside != (p.Within(delta) <= alpha) {
			rt.Fatalf("%v is inside ±%v: %v, but p = %v", iv, delta, inside, p.Within(delta))
		}
	})
}

func TestHolmProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(1e-9, 1), 1, 20).Draw(rt, "p")
		alpha := rapid.Float64Range(0.001, 0.5).Draw(rt, "alpha")
		levels := Holm(p, alpha)
		for i := range p {
			if least := alpha / float64(len(p)); levels[i] < least || levels[i] > alpha {
				rt.Fatalf("level %v of %v", levels[i], p[i])
			}
			for j := range p {
				if p[i] < p[j] && levels[i] > levels[j] {
					rt.Fatalf("%v has level %v, the larger %v has %v", p[i], levels[i], p[j], levels[j])
				}
			}
		}
	})
}
