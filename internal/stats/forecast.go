package stats

import "math"

// Shrink returns the factor by which an interval's half-width changes from n
// pairs at level 1-alpha to n2 pairs at level 1-alpha2, if the noise stays as
// it is: √(n/n2) for the pairs and the ratio of normal quantiles for the
// levels. It serves forecasts only, never a claim. Both alphas lie in (0, 1).
func Shrink(n int, alpha float64, n2 int, alpha2 float64) float64 {
	// √2·Erfcinv(alpha) is the z with P(|Z| > z) = alpha; the √2 cancel out.
	return math.Sqrt(float64(n)/float64(n2)) * math.Erfcinv(alpha2) / math.Erfcinv(alpha)
}
