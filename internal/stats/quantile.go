package stats

import (
	"math"
	"slices"
)

// Median returns the median of xs, the mean of the middle two where their
// number is even, and NaN for none. It does not change xs.
func Median(xs []float64) float64 {
	s := slices.Clone(xs)
	slices.Sort(s)
	return medianSorted(s)
}

// Quantile returns the q-quantile of xs, q in [0, 1], by linear interpolation
// between order statistics (type 7 of Hyndman and Fan, The American
// Statistician 50, 1996: the default of R and NumPy). It returns NaN for no
// xs or a q outside [0, 1], and does not change xs.
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	s := slices.Clone(xs)
	slices.Sort(s)
	at := q * float64(len(s)-1)
	i := int(at)
	if i == len(s)-1 {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

func medianSorted(s []float64) float64 {
	n := len(s)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return s[n/2]
	}
	return s[n/2-1]/2 + s[n/2]/2
}
