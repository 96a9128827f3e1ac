package gctune

import (
	"math"
	"slices"
	"time"
)

// demand learns the cost of a collection and the rate of allocation, and from
// both the room over the live heap that keeps collections under the CPU cap.
// It learns once per cycle, because the runtime updates its CPU figures in mark
// termination only (metrics.go, cpuStatsAggregate).
type demand struct {
	seen   bool
	last   observation
	cost   recent  // CPU seconds per byte scanned in one cycle
	rate   recent  // bytes allocated per second if collections were at the cap
	newest float64 // the cost of the last cycle
	share  float64 // the share of the CPU that collections took over the last window
	since  observation
}

const (
	// The cap holds in each window. Cycles are spaced as if it were fence long:
	// the end of a cycle may be seen late, and the program may allocate faster
	// than the median.
	window = time.Second
	fence  = window + window/10

	// costMargin is how much dearer than the median the next cycle may be.
	costMargin = 1.1

	// The runtime counts the wall time of its workers. The process is contended,
	// and the count is discounted, if the system gave it less CPU time than
	// contendedBelow of the count; threads that wait in the kernel account for
	// the rest.
	contendedBelow = 0.8
)

// recent holds the last figures of their kind.
type recent struct {
	last [5]float64
	n    int
}

func (r recent) learn(x float64) recent {
	r.last[r.n%len(r.last)] = x
	r.n++
	return r
}

// median ignores a figure that is far off, such as the figure of a cycle that other
// processes have held up.
func (r recent) median() float64 {
	seen := r.last[:min(r.n, len(r.last))]
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

func (d demand) learn(o *observation, cap float64) demand {
	if !d.seen {
		return demand{seen: true, last: *o, since: *o}
	}
	cycles, total := o.cycles-d.last.cycles, o.totalCPU-d.last.totalCPU
	if cycles == 0 || total <= 0 || o.procs == 0 {
		return d
	}
	busy := total - (o.idleCPU - d.last.idleCPU)
	given := 1.0
	if cpu := o.cpu - d.last.cpu; cpu > 0 && cpu < busy*contendedBelow {
		given = cpu / busy
	}
	gc := (o.gcCPU - d.last.gcCPU) * given
	if scan := o.heap.scan(); scan > 0 {
		d.newest = gc / float64(cycles) / float64(scan)
		d.cost = d.cost.learn(d.newest)
	}
	rate := float64(o.allocs-d.last.allocs) * float64(o.procs) / total
	if over := gc/total - cap; over > 0 {
		// Collections slow the program down. At the cap it would use the CPU
		// that they took beyond it to allocate more.
		user := busy/total*given - gc/total
		rate *= min(1+over/max(user, 0.01), 4)
	}
	d.rate = d.rate.learn(rate)
	d.last = *o
	if o.now-d.since.now >= window {
		d.share = (o.gcCPU - d.since.gcCPU) / (o.totalCPU - d.since.totalCPU)
		d.since = *o
	}
	return d
}

// marking is how many bytes the program may allocate while a cycle marks live
// bytes; unlimited until the cost of a cycle is known.
func (d *demand) marking(live uint64, procs int) uint64 {
	if d.cost.n == 0 {
		return math.MaxUint64
	}
	return uint64(min(d.rate.median()*d.cost.median()*float64(live)/float64(max(procs, 1)), maxSize))
}

// runway is the room over the live heap, in bytes, with which no window holds
// more cycles of the given cost per byte than the cap pays for.
func (d *demand) runway(h heap, procs int, cap, cost float64) uint64 {
	cost *= float64(h.scan()) * costMargin
	budget, rate := cap*float64(procs), d.rate.median() // budget: CPU seconds per second
	if cost <= 0 || budget <= 0 {
		return 0
	}
	period := max(cost/budget, fence.Seconds())
	if n := int(budget * window.Seconds() / cost); n >= 1 {
		// Whole cycles: with 2.5 in a second, some second would hold three.
		period = fence.Seconds() / float64(n)
	}
	return uint64(min(roomFor(rate*period, rate*cost/float64(procs)), maxSize))
}
