package serve

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// consumption is the CPU time and memory of one process in a window.
type consumption struct {
	since, until  time.Time
	cpu, recorded float64 // nanoseconds of CPU time, in so many that were recorded
	first, last   *store.Entry
	live          float64
}

// stillThere is how long a process may be silent before it counts as gone.
const stillThere = 2 * time.Minute

// usageOf adds up the consumption of a service's processes, by their figures, and by their
// profiles where they publish none. A process counts with the share of the window that it
// was there for, so that a deployment does not count twice.
func usageOf(entries []store.Entry) Usage {
	u := Usage{}
	processes := map[string]*consumption{}
	versions := map[string]time.Time{}
	var from, to time.Time
	for i := range entries {
		e := &entries[i]
		if from.IsZero() {
			from = e.Time
		}
		to = e.Time
		id := e.Labels["instance"]
		c := processes[id]
		if c == nil {
			c = &consumption{since: e.Time}
			processes[id] = c
		}
		c.add(e)
		if v := e.Labels[versionLabel]; v != "" && versions[v].IsZero() {
			versions[v] = e.Time
		}
	}
	span := to.Sub(from)
	for _, c := range processes {
		if to.Sub(c.until) <= max(span/10, stillThere) {
			u.Processes++
		}
		share := 1.0
		if span > stillThere {
			share = float64(c.until.Sub(c.since)) / float64(span)
		}
		u.Cores += share * c.cores()
		u.Bytes += share * c.bytes()
		u.Live += share * c.live
	}
	u.Versions = slices.SortedFunc(maps.Keys(versions), func(a, b string) int {
		return cmp.Or(versions[a].Compare(versions[b]), cmp.Compare(a, b))
	})
	return u
}

func (c *consumption) add(e *store.Entry) {
	c.until = e.Time
	switch e.Kind {
	case store.CPU:
		if v, ok := e.Figure("cpu"); ok && e.Duration > 0 {
			c.cpu += float64(v)
			c.recorded += float64(e.Duration)
		}
	case store.Figures:
		if c.first == nil {
			c.first = e
		}
		c.last = e
	case store.Heap, store.HeapDelta:
		if v, ok := e.Figure("inuse_space"); ok {
			c.live = float64(v)
		}
	}
}

// cores returns CPU time per time: counted by the system, or else sampled.
func (c *consumption) cores() float64 {
	if c.last != nil && c.last != c.first {
		before, ok := c.first.Figure(scrape.CPUTime)
		after, also := c.last.Figure(scrape.CPUTime)
		if took := c.last.Time.Sub(c.first.Time); ok && also && after >= before && took > 0 {
			return float64(after-before) / float64(took)
		}
	}
	if c.recorded > 0 {
		return c.cpu / c.recorded
	}
	return 0
}

// bytes returns the memory of the process; without figures it is twice the live heap,
// at which the collector begins with GOGC=100.
func (c *consumption) bytes() float64 {
	if c.last != nil {
		if used := scrape.Used(c.last); used > 0 {
			return float64(used)
		}
	}
	return 2 * c.live
}
