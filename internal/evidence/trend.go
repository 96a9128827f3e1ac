package evidence

import (
	"math"
	"slices"
)

const (
	// minTrend is the number of points from which on there is a trend: two always lie on a line.
	minTrend = 3
	// fewPoints is the number of points from which on ranks alone give a 95% interval. Of fewer points
	// the interval reaches from the smallest slope to the largest.
	fewPoints = 5
	// twoSided is the 97.5% quantile of the normal distribution.
	twoSided = 1.96
	// levelling is the part of the overall slope that the later part must have at least. A cache that
	// fills grows steeply and then hardly at all.
	levelling = 0.25
	// later is where the later part begins: of eight points it has five, so that one may be odd.
	later = 0.4
)

// trend is the slope of a series in units per hour.
type trend struct {
	slope, low, high float64
	levels           bool // the later part hardly grows
	falters          bool // the later part grows, but by no more than the error
}

// trendOf estimates the slope by Theil and Sen: the median of the slopes of all pairs, which one odd
// point in four does not move. The interval contains two others. One is Sen's, by the variance of
// Kendall's S (P. K. Sen, JASA 63, 1968), for errors that are independent of each other. The other is
// the interval of the difference between two points, whose standard deviation is sd: where entries
// replace each other slowly, errors add up over time and look like a slope.
func trendOf(hours, values []float64, sd func(first, last int) float64) trend {
	n, slopes := len(hours), slopesOf(hours, values)
	m := len(slopes)
	t := trend{slope: median(slopes), low: slopes[0], high: slopes[m-1]}
	if n >= fewPoints {
		size := float64(n)
		c := twoSided * math.Sqrt(size*(size-1)*(2*size+5)/18)
		t.low = slopes[max(0, int(math.Floor((float64(m)-c)/2))-1)]
		t.high = slopes[min(m-1, int(math.Ceil((float64(m)+c)/2)))]
	}
	off := twoSided * sd(0, n-1) / (hours[n-1] - hours[0])
	t.low, t.high = min(t.low, t.slope-off), max(t.high, t.slope+off)
	from := hours[0] + later*(hours[n-1]-hours[0])
	if i := slices.IndexFunc(hours, func(h float64) bool { return h >= from }); t.low > 0 && n-i >= minTrend {
		slope := median(slopesOf(hours[i:], values[i:]))
		t.levels = slope < levelling*t.slope
		t.falters = !t.levels && slope*(hours[n-1]-hours[i]) < twoSided*sd(i, n-1)
	}
	return t
}

// slopesOf returns the slopes between all pairs of points, the smallest first.
func slopesOf(hours, values []float64) []float64 {
	var all []float64
	for i := range hours {
		for j := i + 1; j < len(hours); j++ {
			all = append(all, (values[j]-values[i])/(hours[j]-hours[i]))
		}
	}
	slices.Sort(all)
	return all
}

// median returns the median of sorted numbers.
func median(sorted []float64) float64 {
	m := len(sorted)
	return (sorted[(m-1)/2] + sorted[m/2]) / 2
}
