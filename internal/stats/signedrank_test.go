package stats

import (
	"math"
	"testing"
)

// Data sets whose answers are known from elsewhere.
var (
	// Darwin's maize: cross- minus self-fertilised heights in eighths of an
	// inch. Wilcoxon's own example, Biometrics Bulletin 1, 1945.
	darwin = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}
	// Hamilton depression scale before minus after: Hollander and Wolfe,
	// Nonparametric Statistical Methods, table 3.1; the example of R's wilcox.test.
	depression = []float64{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01}
	// Drawn with NumPy: normal(0.2, 1), 40 values to three decimals, seed 1.
	normal40 = []float64{0.546, 1.022, 0.53, -1.103, 1.105, 0.646, -0.337, 0.781, 0.565, 0.494,
		0.228, 0.747, -0.536, 0.037, -0.282, 0.799, 0.24, -0.092, -0.582, -0.057,
		0.208, -0.076, 1.494, 1.207, -2.511, -1.689, 0.025, -0.222, 0.414, 0.417,
		2.318, -0.912, -0.178, 2.243, 0.847, 0.863, -0.314, -1.448, 0.367, 0.309}
	// Drawn with NumPy: 0.05 + 0.03·t with 2 degrees of freedom, seed 2.
	heavy20 = []float64{0.0621, 0.0353, 0.0966, 0.0266, 0.0611, 0.0991, 0.0405, 0.0582, 0.0597, 0.0597,
		0.082, 0.058, 0.0212, 0.1075, -0.023, 0.091, 0.085, 0.0574, 0.0451, 0.0153}
	// Drawn with NumPy: normal(-0.1, 0.04), seed 3.
	normal12 = []float64{-0.0184, -0.2022, -0.0833, -0.1227, -0.1181, -0.1086, -0.1808, -0.1093, -0.1346, 0.0329, -0.091, -0.1141}
)

func mustDifferences(t testing.TB, d []float64) *Differences {
	t.Helper()
	p, err := NewDifferences(d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The largest w with P(W ≤ w) ≤ 2.5% for n = 6, 7, …: the table of OEIS
// A226330 (J.-F. Alcover, after P. Mitic, The Mathematica Journal 6, 1996).
var critical025 = []int{0, 2, 3, 5, 8, 10, 13, 17, 21, 25, 29, 34, 40, 46, 52, 58, 65, 73, 81, 89, 98, 107, 116,
	126, 137, 147, 159, 170, 182, 195, 208, 221, 235, 249, 264, 279, 294, 310, 327, 343,
	361, 378, 396, 415, 434, 453, 473, 494, 514, 536, 557, 579, 602, 625, 648, 672, 697}

// One-tailed critical values by SciPy 1.17.1 (scipy.stats._wilcoxon): columns
// 1%, 0.5% and 0.05%.
var criticalSciPy = map[int][3]int{
	12: {9, 7, 1}, 15: {19, 15, 6}, 20: {43, 37, 21}, 25: {76, 68, 45},
	30: {120, 109, 78}, 40: {238, 220, 172}, 50: {397, 373, 304}, 100: {1850, 1779, 1578},
}

func critical(n int, alpha float64) int {
	w := -1
	for tail := nullTail(n); tail[w+1] <= alpha; {
		w++
	}
	return w
}

func TestCriticalValuesArePublishedOnes(t *testing.T) {
	for i, want := range critical025 {
		if n := i + 6; critical(n, 0.025) != want {
			t.Errorf("n = %d at 2.5%%: %d, published %d", n, critical(n, 0.025), want)
		}
	}
	for n, want := range criticalSciPy {
		if got := [3]int{critical(n, 0.01), critical(n, 0.005), critical(n, 0.0005)}; got != want {
			t.Errorf("n = %d: %v, SciPy %v", n, got, want)
		}
	}
}

func TestNullTailIsSciPys(t *testing.T) {
	for _, c := range []struct {
		n, w int
		want float64
	}{ // scipy.stats._wilcoxon.WilcoxonDistribution(n).cdf(w), SciPy 1.17.1
		{12, 7, 0.004638671875},
		{20, 52, 0.02422046661376953},
		{40, 264, 0.024880283909624268},
		{100, 1955, 0.02496187980214628},
		{200, 8702, 0.050107694018915246},
	} {
		if got := nullTail(c.n)[c.w]; math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("P(W ≤ %d), n = %d: %v, SciPy %v", c.w, c.n, got, c.want)
		}
	}
}

func TestP(t *testing.T) {
	for _, c := range []struct {
		name string
		d    []float64
		want float64
	}{
		// Also in R: wilcox.test gives V = 96, p = 0.04126 and V = 40, p = 0.03906.
		{"Darwin", darwin, 0.041259765625},
		{"depression", depression, 0.0390625},
		{"normal12", normal12, 0.00146484375},
		{"normal40", normal40, 0.08415465162215696},
		// SciPy 1.17.1, wilcoxon(d, zero_method="pratt",
		// method=PermutationMethod(n_resamples=inf)).
		{"ties", []float64{1, 1, 2, 2, -2, 3, 4, 4, 5, -1}, 0.041015625},
		{"zeros", []float64{0, 0, 1, 2, -3, 4, 5, 6, 7, 8}, 0.03125},
		{"zeros and ties", []float64{0, 0, 0, 1, 1, -1, 2, 3, 3, -4, 5, 5}, 0.1015625},
		{"all equal", []float64{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 0.001953125},
		// By definition: no sign to choose, one sign, two signs.
		{"all zero", []float64{0, 0, 0}, 1},
		{"one", []float64{3}, 1},
		{"two opposed", []float64{1, -1}, 1},
	} {
		if got := mustDifferences(t, c.d).P(); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%s: p = %v, want %v", c.name, got, c.want)
		}
	}
}
