// Package view is a pair for slices that are copied only to be read: alerts look
// at the latest hours of measured series. Before, each look copies its part of the
// series; after, it reads the series itself, which nothing changes meanwhile.
package view

import "math"

// series are the values of a measurement, one per interval.
type series struct {
	name   string
	start  int64
	every  int64
	values []float64
}

// alert fires if the last value is too far from the mean of a range.
type alert struct {
	series   int
	from, to int64
	// far is the number of deviations that are too many.
	far float64
}

// before returns how many alerts fire, and how many have too few values to.
func before(all []*series, alerts []alert) (fire, unknown int) {
	for _, a := range alerts {
		s := all[a.series]
		first, last := s.index(a.from), s.index(a.to)
		if last-first < 3 {
			unknown++
			continue
		}
		values := make([]float64, last-first)
		copy(values, s.values[first:last])
		if fires(values, a.far) {
			fire++
		}
	}
	return fire, unknown
}

func after(all []*series, alerts []alert) (fire, unknown int) {
	for _, a := range alerts {
		s := all[a.series]
		first, last := s.index(a.from), s.index(a.to)
		if last-first < 3 {
			unknown++
			continue
		}
		if fires(s.values[first:last], a.far) {
			fire++
		}
	}
	return fire, unknown
}

// index is where the first value from a time on is.
func (s *series) index(at int64) int {
	return int(min(max((at-s.start+s.every-1)/s.every, 0), int64(len(s.values))))
}

// fires compares the last of the values with a mean of the ones before it, in
// which the younger ones have more weight. A gap is NaN.
func fires(values []float64, far float64) bool {
	const weight = 0.05
	latest := values[len(values)-1]
	mean, variance := values[0], 0.0
	for _, v := range values[1 : len(values)-1] {
		if math.IsNaN(v) {
			continue
		}
		off := v - mean
		mean += weight * off
		variance = (1 - weight) * (variance + weight*off*off)
	}
	return math.Abs(latest-mean) > far*math.Sqrt(variance)
}
