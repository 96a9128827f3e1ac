package serve

import (
	"time"

	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// work returns how many requests a process answered in the time that its profiles of a
// query record; 0 is not known. The load of that time counts, not the load of the whole
// window: a CPU profile of a few seconds may be of a burst or of a lull.
func work(entries []store.Entry, q store.Query) float64 {
	var c counter
	var profiles []*store.Entry
	for i := range entries {
		e := &entries[i]
		if e.Time.Before(q.From) || !e.Time.Before(q.To) || e.Labels["instance"] != q.Labels["instance"] ||
			e.Labels[versionLabel] != q.Labels[versionLabel] {
			continue
		}
		if e.Kind == q.Kind || q.Kind == store.Heap && e.Kind == store.HeapDelta {
			profiles = append(profiles, e)
		}
		if value, ok := e.Figure(scrape.Requests); ok && e.Kind == store.Figures {
			c.add(e.Time, value)
		}
	}
	if len(profiles) == 0 || len(c.counts) < 2 {
		return 0
	}
	if q.Kind == store.Heap { // allocations are of the whole time between the first snapshot and the last
		return c.at(profiles[len(profiles)-1].Time) - c.at(profiles[0].Time)
	}
	requests := 0.0
	for _, e := range profiles {
		requests += c.at(e.Time.Add(e.Duration)) - c.at(e.Time)
	}
	return requests
}

// counter is the number of requests that a process has answered, at some times.
type counter struct {
	counts []count
	last   int64 // the value of the process itself, which falls when it restarts
}

type count struct {
	at       time.Time
	requests float64
}

func (c *counter) add(at time.Time, value int64) {
	switch n := len(c.counts); {
	case n == 0:
		c.counts = append(c.counts, count{at: at})
	case at.After(c.counts[n-1].at):
		if value < c.last {
			c.last = 0
		}
		c.counts = append(c.counts, count{at, c.counts[n-1].requests + float64(value-c.last)})
	}
	c.last = value
}

// at returns the number at a time, between two known ones in proportion. Before the first one
// and after the last one the rate is the mean of all.
func (c *counter) at(t time.Time) float64 {
	first, last := c.counts[0], c.counts[len(c.counts)-1]
	if t.Before(first.at) || t.After(last.at) {
		return between(first, last, t)
	}
	low, high := 0, len(c.counts)-1
	for high-low > 1 {
		if middle := (low + high) / 2; c.counts[middle].at.After(t) {
			high = middle
		} else {
			low = middle
		}
	}
	return between(c.counts[low], c.counts[high], t)
}

func between(a, b count, t time.Time) float64 {
	share := float64(t.Sub(a.at)) / float64(b.at.Sub(a.at))
	return a.requests + share*(b.requests-a.requests)
}
