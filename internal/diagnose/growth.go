package diagnose

import (
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
)

const (
	// maxSeries bounds the profiles that slopes are taken between: 60 have
	// 1770 pairs.
	maxSeries = 60
	// fewPoints is from how many profiles on ranks alone give a 95 % interval:
	// of 4 points no order is that unlikely.
	fewPoints = 5
	// defaultRate is runtime.MemProfileRate, where a profile does not say its own.
	defaultRate = 512 << 10
	// twoSided is the 97.5 % quantile of the normal distribution.
	twoSided = 1.96
)

// lastProcess leaves the heap profiles that follow the last restart: what lived
// and was allocated before says nothing of a leak or of a rate.
func (e *Evidence) lastProcess() {
	for i := len(e.Heaps) - 1; i > 0; i-- {
		column, _ := e.Heaps[i].Column("alloc_space")
		before, _ := e.Heaps[i-1].Column("alloc_space")
		if e.Heaps[i].Total(column) < e.Heaps[i-1].Total(before) {
			e.note("the process was restarted between %s and %s: growth and rates are of what follows", e.Heaps[i-1].Name, e.Heaps[i].Name)
			e.Heaps = e.Heaps[i:]
			return
		}
	}
}

// addGrowth gives each site the growth of its live bytes over the heap profiles.
func (g *gatherer) addGrowth() {
	series := g.series()
	if len(series) < 2 {
		return
	}
	hours := make([]float64, len(series))
	live := make([][]Amount, len(g.sites)) // by site, then by profile
	for i := range live {
		live[i] = make([]Amount, len(series))
	}
	for n, p := range series {
		hours[n] = seconds(series[0], p) / 3600
		bytes, _ := p.Column("inuse_space")
		objects, _ := p.Column("inuse_objects")
		for row, stack := range p.Stacks {
			if at := g.at(stack); at.site > 0 && int(at.site) <= len(live) {
				live[at.site-1][n].add(Amount{float64(p.Values[bytes][row]), float64(p.Values[objects][row])})
			}
		}
	}
	for i, amounts := range live {
		if slices.ContainsFunc(amounts, func(a Amount) bool { return a != Amount{} }) {
			g.sites[i].Growth = growthOf(hours, amounts, float64(series[0].Period))
		}
	}
}

// series returns the heap profiles that slopes can be read from: in time order,
// more than a second apart.
func (g *gatherer) series() []*profile.Profile {
	var apart []*profile.Profile
	for _, p := range g.Heaps {
		if p.TimeNanos != 0 && (apart == nil || seconds(apart[len(apart)-1], p) > 1) {
			apart = append(apart, p)
		}
	}
	if len(apart) <= maxSeries {
		return apart
	}
	thin := make([]*profile.Profile, maxSeries)
	for i := range thin {
		thin[i] = apart[i*(len(apart)-1)/(maxSeries-1)]
	}
	return thin
}

// growthOf estimates the slope by Theil and Sen: the median of the slopes of all
// pairs, which one odd profile in four does not move. The interval is Sen's, by
// the variance of Kendall's S (P. K. Sen, JASA 63, 1968); of a few profiles it
// is what sampling makes of the first and the last of them.
func growthOf(hours []float64, live []Amount, rate float64) *Growth {
	n := len(hours)
	var slopes []float64
	for i := range n {
		for j := i + 1; j < n; j++ {
			slopes = append(slopes, (live[j].Bytes-live[i].Bytes)/(hours[j]-hours[i]))
		}
	}
	slices.Sort(slopes)
	g := &Growth{Profiles: n, Span: 3600 * hours[n-1]}
	m := len(slopes)
	g.PerHour = (slopes[(m-1)/2] + slopes[m/2]) / 2
	if n < fewPoints {
		sd := math.Sqrt(samplingVariance(live[0], rate)+samplingVariance(live[n-1], rate)) / hours[n-1]
		g.Low, g.High = g.PerHour-twoSided*sd, g.PerHour+twoSided*sd
		return g
	}
	size := float64(n)
	c := twoSided * math.Sqrt(size*(size-1)*(2*size+5)/18)
	low := max(0, int(math.Floor((float64(m)-c)/2))-1)
	high := min(m-1, int(math.Ceil((float64(m)+c)/2)))
	g.Low, g.High = slopes[low], slopes[high]
	return g
}

// samplingVariance is that of an estimate of live bytes. An object of size s is
// in a heap profile with the probability 1-exp(-s/rate) and then stands for the
// inverse of it (runtime/pprof, scaleHeapSample).
func samplingVariance(a Amount, rate float64) float64 {
	if a.Objects <= 0 || a.Bytes <= 0 {
		return 0
	}
	if rate <= 0 {
		rate = defaultRate
	}
	size := a.Bytes / a.Objects
	seen := -math.Expm1(-size / rate)
	return a.Bytes * size * (1 - seen) / seen
}
