package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{ // at 5%
		{nil, nil},
		{[]float64{0.03}, []float64{0.05}},
		// Two pass, the third fails at .05/2, and with it the fourth.
		{[]float64{0.5, 0.001, 0.03, 0.012}, []float64{0.025, 0.0125, 0.025, 0.05 / 3}},
		{[]float64{0.02, 0.02, 0.9}, []float64{0.05 / 3, 0.05 / 3, 0.05 / 3}},
		{[]float64{0.01, 0.01, 0.04}, []float64{0.05 / 3, 0.05 / 3, 0.05}},
	} {
		if got := Holm(c.p, 0.05); !slices.Equal(got, c.want) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

// Adjusted p-values by statsmodels 0.15.0, multipletests(p, method="holm"). To
// hold them against α is to hold the p-values against the levels.
func TestHolmIsStatsmodels(t *testing.T) {
	for _, c := range []struct{ p, adjusted []float64 }{
		{[]float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}},
		{[]float64{0.5, 0.001, 0.9, 0.012}, []float64{1, 0.004, 1, 0.036}},
	} {
		for _, alpha := range []float64{0.003, 0.02, 0.04, 0.07, 0.085, 0.2} {
			for i, level := range Holm(c.p, alpha) {
				if (c.p[i] <= level) != (c.adjusted[i] <= alpha) {
					t.Errorf("%v at %v: level %v of %v disagrees with the adjusted %v", c.p, alpha, level, c.p[i], c.adjusted[i])
				}
			}
		}
	}
}

func TestQuantile(t *testing.T) {
	xs := []float64{7, 1, 3, 10}
	for _, c := range []struct{ q, want float64 }{
		{0, 1}, {1, 10}, {0.5, 5}, {0.25, 2.5}, {0.95, 9.55}, // numpy.quantile(xs, q), NumPy
	} {
		if got := Quantile(xs, c.q); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Quantile(%v) = %v, want %v", c.q, got, c.want)
		}
	}
	for _, got := range []float64{Quantile(nil, 0.5), Quantile(xs, -1), Quantile(xs, 2), Quantile(xs, math.NaN()), Median(nil)} {
		if !math.IsNaN(got) {
			t.Errorf("got %v, want NaN", got)
		}
	}
	if got := Median(xs); got != 5 || xs[0] != 7 {
		t.Errorf("Median = %v, want 5 and xs as it was: %v", got, xs)
	}
}

func TestFlipQuantile(t *testing.T) {
	if got := FlipQuantile([]float64{0, 0, 0}, 0.95, 100); got != 0 {
		t.Errorf("no differences: %v", got)
	}
	if got := FlipQuantile(nil, 0.95, 100); !math.IsNaN(got) {
		t.Errorf("no pairs: %v", got)
	}
	// Two pairs, four choices: estimates ±1.5 (Walsh 1, 1.5, 2) and ±0.5 (-1, 0.5, 2).
	if got := FlipQuantile([]float64{1, 2}, 1, 0); got != 1.5 {
		t.Errorf("largest of two pairs: %v, want 1.5", got)
	}
	if got := FlipQuantile([]float64{1, -2}, 0, 0); got != 0.5 {
		t.Errorf("smallest of two pairs: %v, want 0.5", got)
	}
}

// Of normal noise, the estimate's 95th percentile is 1.96 standard errors,
// which are σ/√n divided by the estimator's efficiency √.955.
func TestFlipQuantileIsTheNoiseFloor(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const n, sigma = 40, 0.03
	sum, repeats := 0.0, 50
	for range repeats {
		d := make([]float64, n)
		for i := range d {
			d[i] = sigma * random.NormFloat64()
		}
		q := FlipQuantile(d, 0.95, 500)
		if q != FlipQuantile(d, 0.95, 500) {
			t.Fatal("the same differences gave two answers")
		}
		sum += q
	}
	want := 1.96 * sigma / math.Sqrt(n*0.955)
	if got := sum / float64(repeats); math.Abs(got/want-1) > 0.05 {
		t.Errorf("mean of the 95th percentile %v, want about %v", got, want)
	}
}

func TestShrink(t *testing.T) {
	if got := Shrink(10, 0.05, 40, 0.05); got != 0.5 {
		t.Errorf("four times the pairs: %v, want 0.5", got)
	}
	// z is 1.959964 at 5% and 2.575829 at 1% (scipy.stats.norm.isf(alpha/2)).
	if got, want := Shrink(10, 0.05, 10, 0.01), 2.575829303548901/1.9599639845400545; math.Abs(got-want) > 1e-12 {
		t.Errorf("from 5%% to 1%%: %v, want %v", got, want)
	}
}

func BenchmarkDifferences(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{12, 40, 200} {
		d := make([]float64, n)
		for i := range d {
			d[i] = random.NormFloat64()
		}
		b.Run(fmt.Sprintf("interval/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustDifferences(b, d).Interval(0.01)
			}
		})
		b.Run(fmt.Sprintf("p/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				mustDifferences(b, d).P()
			}
		})
		b.Run(fmt.Sprintf("flip/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				FlipQuantile(d, 0.95, 1000)
			}
		})
	}
}
