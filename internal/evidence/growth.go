package evidence

import (
	"math"

	"github.com/heapwright/heapwright/internal/profile"
)

const (
	// maxSeries bounds the profiles that slopes are taken between: 60 have
	// 1770 pairs.
	maxSeries = 60
	// defaultRate is runtime.MemProfileRate, where a profile does not say its own.
	defaultRate = 512 << 10
	// Negligible in bytes is memory not worth a bound, whatever its share of a tiny
	// heap is: a few requests in flight hold as much.
	Negligible = 256 << 10
	// leastWindow in seconds is the time from which on a change is a rate. A profile shows
	// the heap as the last collection found it, and the collections of a busy
	// service are some 100 ms apart, so its time is not exact.
	leastWindow = 1
	// leastApart in seconds is the time between two points of a trend. A slope
	// between nearer ones has no meaning, and many of them hide the others.
	leastApart = 0.1
	// greatPart is the share of a sure growth of the whole heap from which on a site's growth
	// is probable, though its own samples are too few.
	greatPart = 0.25
	// mostOf is the share of an exactly known growth from which on a site's growth is sure if it
	// is likely.
	mostOf = 0.5
	// nearlyAll is the share of the bytes allocated that is still alive from which on a site with a
	// great part of a heap that surely grows probably grows, though its samples are too few for any trend.
	nearlyAll = 0.9
	// fewObjects is the most that count as one array which grows, and perhaps the one that it replaces.
	fewObjects = 4
	// leap is by how much the array of an append or a buffer becomes larger at the least.
	leap = 1.2
	// steadyWithin is the share of the live bytes within which a change counts as none.
	steadyWithin = 0.1
)

// Growth is how live bytes change with time.
type Growth struct {
	PerHour  float64 `json:"per_hour"` // bytes; the median of the slopes between all pairs of profiles (Theil–Sen)
	Low      float64 `json:"low"`      // ends of its 95% interval
	High     float64 `json:"high"`
	Profiles int     `json:"profiles"`             // profiles of different collections
	Span     float64 `json:"span_seconds"`         // time between the first and the last
	Levels   bool    `json:"levels_off,omitempty"` // it grew at first and hardly grows any more
	Falters  bool    `json:"falters,omitempty"`    // the later growth is within the error of sampling
	// Enough is the span in seconds over which the interval would probably decide
	// between growing and steady; 0 where it decides.
	Enough float64 `json:"enough_seconds,omitempty"`
}

// Grows reports whether there is a trend whose whole interval is above zero and
// which has not ended.
func (g *Growth) Grows() bool {
	return g != nil && g.Profiles >= minTrend && g.Low > 0 && !g.Levels && !g.Falters
}

// MayGrow reports whether there is a trend above zero which may have ended. It takes
// something else, such as the source, to call that growth.
func (g *Growth) MayGrow() bool {
	return g != nil && g.Profiles >= fewPoints && g.Low > 0 && !g.Levels
}

// Likely reports whether there is a trend above zero by more than about its standard error, which
// has not ended. If the whole heap surely grows, some site does.
func (g *Growth) Likely() bool {
	return g != nil && g.Profiles >= fewPoints && g.Low+g.PerHour > 0 && !g.Levels
}

// Steady reports whether the trend shows that the memory stays the same.
func (g *Growth) Steady() bool {
	return g != nil && !g.Grows() && !g.Levels && !g.Falters && g.High >= 0 && g.Enough == 0
}

// AtLeast returns the lower bound of the bytes added during the profiles, 0 where
// growth is not known.
func (g *Growth) AtLeast() float64 {
	if g == nil {
		return 0
	}
	return g.Low * g.Span / 3600
}

// history is a site's memory over the heap profiles.
type history struct{ live, alloc []Amount }

// fitGrowth fits each site's live bytes over the heap profiles, and decides
// whether its memory is retained.
func (b *builder) fitGrowth() {
	if len(b.heaps) < 2 {
		for i := range b.sites {
			b.sites[i].Retained = b.sites[i].Surviving() > 0.5
		}
		return
	}
	apart := b.apart()
	if len(apart) < 2 || seconds(b.heaps[apart[0]], b.heaps[apart[len(apart)-1]]) < leastWindow {
		return
	}
	sites := make([]history, len(b.sites))
	for i := range sites {
		sites[i] = history{make([]Amount, len(apart)), make([]Amount, len(apart))}
	}
	hours := make([]float64, len(apart))
	for j, n := range apart {
		p := b.heaps[n]
		hours[j] = seconds(b.heaps[apart[0]], p) / 3600
		b.each(p, "inuse", func(_ *Site, at profile.StackID, a Amount) { sites[b.places[at].site-1].live[j].add(a) })
		b.each(p, "alloc", func(_ *Site, at profile.StackID, a Amount) { sites[b.places[at].site-1].alloc[j].add(a) })
	}
	rate := float64(b.heaps[apart[0]].Period)
	whole := sum(sites, len(apart)).growth(hours, rate)
	exact := growthOf(b.Runtime.Heaps)
	surely := exact.Grows() && exact.AtLeast() > Negligible
	if surely {
		whole = exact
	}
	b.HeapGrowth = whole
	for i := range b.sites {
		s, h := &b.sites[i], &sites[i]
		if h.empty() {
			continue
		}
		s.Growth = h.growth(hours, rate)
		// Next to nothing survives at a line that makes garbage as well. Growth beyond
		// sampling error is a leak all the same, if it exceeds requests in flight.
		stays := s.Surviving() > 0.1 || s.Growth.AtLeast() > Negligible
		most := surely && s.Growth.Likely() && s.Growth.PerHour > mostOf*whole.PerHour
		s.Retained = stays && (s.Growth.Grows() || most)
		part := whole.Grows() && !s.Growth.Levels && s.Growth.PerHour > greatPart*whole.PerHour
		s.Doubles = stays && h.doubles(hours)
		left := surely && s.Surviving() > nearlyAll && s.Live.Bytes > greatPart*b.Live.Value && !s.Growth.Levels
		s.Staying = s.Retained || s.Doubles || stays && (s.Growth.MayGrow() || part || left)
	}
}

// growthOf fits the exact sizes of the live heap. It returns nil where they are too few.
func growthOf(heaps []LiveHeap) *Growth {
	n := len(heaps)
	if n < fewPoints {
		return nil
	}
	hours, values := make([]float64, n), make([]float64, n)
	for i, h := range heaps {
		hours[i], values[i] = h.Taken.Sub(heaps[0].Taken).Hours(), h.Bytes
	}
	if 3600*hours[n-1] < leastWindow {
		return nil
	}
	t := trendOf(hours, values, func(int, int) float64 { return 0 })
	return &Growth{PerHour: t.slope, Low: t.low, High: t.high, Profiles: n, Span: 3600 * hours[n-1], Levels: t.levels}
}

// sum adds the histories of all sites up.
func sum(sites []history, points int) *history {
	all := &history{make([]Amount, points), make([]Amount, points)}
	for i := range sites {
		for j := range points {
			all.live[j].add(sites[i].live[j])
			all.alloc[j].add(sites[i].alloc[j])
		}
	}
	return all
}

// apart returns the indices of the heap profiles that slopes are taken between: in
// time order, of different collections, not more than maxSeries. Profiles show the
// heap as the last collection found it, so all profiles of one collection are one
// point, and so are profiles within leastApart.
func (b *builder) apart() []int {
	var all []int
	last := int64(-1)
	for n, p := range b.heaps {
		column, _ := p.Column("alloc_space")
		sum := p.Total(column)
		if p.TimeNanos == 0 || all != nil && (sum == last || seconds(b.heaps[all[len(all)-1]], p) < leastApart) {
			continue
		}
		all, last = append(all, n), sum
	}
	if len(all) <= maxSeries {
		return all
	}
	thin := make([]int, maxSeries)
	for i := range thin {
		thin[i] = all[i*(len(all)-1)/(maxSeries-1)]
	}
	return thin
}

func (h *history) empty() bool {
	for _, a := range h.live {
		if a != (Amount{}) {
			return false
		}
	}
	return true
}

// growth fits the live bytes. hours are the times of the profiles, rate is their
// sampling rate in bytes.
func (h *history) growth(hours []float64, rate float64) *Growth {
	n := len(hours)
	values := make([]float64, n)
	for i, a := range h.live {
		values[i] = a.Bytes
	}
	sd := func(first, last int) float64 { return math.Sqrt(h.variance(first, last, rate)) }
	t := trendOf(hours, values, sd)
	g := &Growth{PerHour: t.slope, Low: t.low, High: t.high, Profiles: n, Span: 3600 * hours[n-1], Levels: t.levels, Falters: t.falters}
	g.Enough = g.enough(values[n-1], sd(0, n-1))
	return g
}

// doubles reports whether a few objects become larger by leaps, as the arrays of buffers do. Where
// bytes are added at a steady rate, each leap takes twice as long as the one before it, so most of
// the time nothing changes, and a slope says little. One that is overdue means that it has ended.
func (h *history) doubles(hours []float64) bool {
	last := len(hours) - 1
	if h.live[last].Objects > fewObjects || h.live[last].Bytes < Negligible {
		return false
	}
	var leaps []float64
	for j := 1; j <= last; j++ {
		before, now := h.live[j-1].Bytes, h.live[j].Bytes
		switch {
		case now < (1-steadyWithin)*before:
			return false
		case before > 0 && now > leap*before:
			leaps = append(leaps, hours[j])
		}
	}
	n := len(leaps)
	return n >= 2 && hours[last]-leaps[n-1] <= 3*(leaps[n-1]-leaps[n-2])
}

// variance is the sampling variance of the difference between the live bytes of
// two profiles. Objects that live through both are the same samples in both:
// those allocated and freed in between differ. Where nearly all were replaced,
// the two are independent.
func (h *history) variance(first, last int, rate float64) float64 {
	independent := samplingVariance(h.live[first], rate) + samplingVariance(h.live[last], rate)
	made := h.alloc[last].minus(h.alloc[first])
	freed := made.minus(h.live[last].minus(h.live[first]))
	return min(independent, samplingVariance(made, rate)+samplingVariance(freed, rate))
}

// enough returns the span that would decide. An error that is a random walk grows
// with the root of time, growth with time: twice the ratio takes four times the span.
func (g *Growth) enough(live, sd float64) float64 {
	hours := g.Span / 3600
	change, most := g.PerHour*hours, max(math.Abs(g.Low), math.Abs(g.High))*hours
	switch {
	case g.Grows(), g.High < 0, most <= steadyWithin*live:
		return 0
	case g.Profiles < fewPoints:
		return g.Span * fewPoints / float64(g.Profiles-1)
	}
	ratio := twoSided * sd / max(change, steadyWithin*live, 1)
	return g.Span * max(2, min(ratio*ratio, 100))
}

// samplingVariance is the variance of an estimate of live bytes. An object of size s is
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
