package stats

import "math"

// NormalQuantile returns z with P(|Z| > z) = alpha for a standard normal Z:
// 1.96 for 0.05. It serves forecasts only, never a claim.
func NormalQuantile(alpha float64) float64 { return math.Sqrt2 * math.Erfcinv(alpha) }

// Shrink returns the factor by which an interval's half-width changes from n
// pairs at level 1-alpha to n2 pairs at level 1-alpha2, if the noise stays as
// it is: √(n/n2) for the pairs and the ratio of normal quantiles for the level.
func Shrink(n int, alpha float64, n2 int, alpha2 float64) float64 {
	return math.Sqrt(float64(n)/float64(n2)) * NormalQuantile(alpha2) / NormalQuantile(alpha)
}
