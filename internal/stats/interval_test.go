package stats

import (
	"math"
	"testing"
)

// The bounds were found with SciPy 1.17.1 by inverting its exact test: the
// shifts t at which wilcoxon(d-t, method="exact") has a p-value above alpha.
// The estimates are numpy.median of the Walsh averages.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		name             string
		d                []float64
		estimate         float64
		alpha, low, high float64
	}{
		{"Darwin", darwin, 25, 0.10, 8, 39.5},
		{"Darwin", darwin, 25, 0.05, 4, 41.5},
		{"Darwin", darwin, 25, 0.01, -13, 49},
		{"Darwin", darwin, 25, 0.001, -25.5, 58},
		{"depression", depression, 0.46, 0.10, 0.175, 0.726},
		{"depression", depression, 0.46, 0.05, 0.01, 0.786},
		{"depression", depression, 0.46, 0.01, -0.1135, 0.987},
		{"normal12", normal12, -0.1098, 0.05, -0.1466, -0.0635},
		{"normal12", normal12, -0.1098, 0.01, -0.1577, -0.0406},
		{"normal12", normal12, -0.1098, 0.001, -0.1915, 0.00725},
		{"heavy20", heavy20, 0.058875, 0.05, 0.042, 0.07305},
		{"heavy20", heavy20, 0.058875, 0.001, 0.0279, 0.0836},
		{"normal40", normal40, 0.24125, 0.10, 0.0145, 0.45},
		{"normal40", normal40, 0.24125, 0.01, -0.1385, 0.578},
	} {
		p := mustDifferences(t, c.d)
		iv := p.Interval(c.alpha)
		if math.Abs(iv.Low-c.low) > 1e-9 || math.Abs(iv.High-c.high) > 1e-9 {
			t.Errorf("%s at %v: %v, want [%v, %v]", c.name, c.alpha, iv, c.low, c.high)
		}
		if iv.Coverage < 1-c.alpha || iv.Coverage > 1 {
			t.Errorf("%s at %v: actual level %v", c.name, c.alpha, iv.Coverage)
		}
		if math.Abs(p.Estimate()-c.estimate) > 1e-9 {
			t.Errorf("%s: estimate %v, want %v", c.name, p.Estimate(), c.estimate)
		}
	}
}

func TestIntervalSaysItsActualLevel(t *testing.T) {
	// Hollander and Wolfe, table A.4: for n = 9, P(W ≥ 40) = .020 (10/512).
	if got := mustDifferences(t, depression).Interval(0.05).Coverage; got != 1-20.0/512 {
		t.Errorf("actual level %v, want %v", got, 1-20.0/512)
	}
}

func TestTooFewPairsGiveNoBounds(t *testing.T) {
	for n := 1; n <= 12; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = 1
		}
		p := mustDifferences(t, d)
		for _, alpha := range []float64{0.05, 0.01, 0.001, 0} {
			iv := p.Interval(alpha)
			if enough := n >= MinPairs(alpha); iv.Bounded() != enough {
				t.Errorf("n = %d, alpha = %v: bounded %v, want %v", n, alpha, iv.Bounded(), enough)
			}
			if !iv.Bounded() && (!math.IsInf(iv.Low, -1) || !math.IsInf(iv.High, 1) || iv.Coverage != 1) {
				t.Errorf("n = %d, alpha = %v: %v", n, alpha, iv)
			}
		}
	}
}

func TestEqualDifferencesGiveAPoint(t *testing.T) {
	shift := math.Log(1.05) // not a binary fraction: nothing may be rounded away
	d := make([]float64, 12)
	for i := range d {
		d[i] = shift
	}
	p := mustDifferences(t, d)
	if iv := p.Interval(0.01); iv.Low != shift || iv.High != shift || p.Estimate() != shift {
		t.Errorf("interval %v, estimate %v, want %v exactly", iv, p.Estimate(), shift)
	}
	if got, want := p.P(), 2.0/4096; got != want {
		t.Errorf("p = %v, want %v", got, want)
	}
}

func TestMinPairs(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		want  int
	}{{1, 1}, {0.5, 2}, {0.05, 6}, {0.01, 8}, {0.001, 11}, {2.0 / 4096, 12}, {0, math.MaxInt}, {-1, math.MaxInt}, {math.NaN(), math.MaxInt}} {
		if got := MinPairs(c.alpha); got != c.want {
			t.Errorf("MinPairs(%v) = %d, want %d", c.alpha, got, c.want)
		}
	}
}

func TestNewDifferencesRefuses(t *testing.T) {
	for _, d := range [][]float64{nil, {}, {1, math.NaN()}, {math.Inf(1)}, {0, math.Inf(-1)}} {
		if _, err := NewDifferences(d); err == nil {
			t.Errorf("%v was accepted", d)
		}
	}
}
