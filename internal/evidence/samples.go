package evidence

import "math"

// The number of samples of a cost is a Poisson variable: the relative standard error of
// n samples is 1/√n. So the samples that show a cost limit the confidence in it.
const (
	// MinSamples is the least number that shows a cost. The mean behind three samples is
	// above 0.8 with a probability of 95%, that behind a single one only above 0.05.
	MinSamples = 3
	// sureSamples have a standard error of 20%.
	sureSamples = 25
)

// With returns the confidence where it rests on so many samples: medium at most below
// sureSamples, low below MinSamples.
func (c Confidence) With(samples float64) Confidence {
	switch {
	case samples < MinSamples:
		return Low
	case samples < sureSamples && c == High:
		return Medium
	}
	return c
}

// Samples returns the number of samples whose error a figure of the last heap profile
// has. It is infinite for objects that are so large that each is sampled.
func (e *Evidence) Samples(a Amount) float64 {
	rate := 0.0
	if n := len(e.Heaps); n > 0 {
		rate = float64(e.Heaps[n-1].Period)
	}
	if a.Bytes <= 0 || a.Objects <= 0 {
		return 0
	}
	variance := samplingVariance(a, rate)
	if variance == 0 {
		return math.Inf(1)
	}
	return a.Bytes * a.Bytes / variance
}
