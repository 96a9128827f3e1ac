package gctune

import "time"

// demand learns what a collection costs and how fast the program makes
// garbage, and from both the room that collections need in order to stay
// under the CPU cap. It learns once per cycle: the runtime updates its CPU
// figures in mark termination only (metrics.go, cpuStatsAggregate).
type demand struct {
	seen  bool
	last  observation
	cost  float64 // CPU seconds per byte scanned, in one cycle
	rate  float64 // bytes allocated per second, were collections at the cap
	share float64 // share of the CPU that collections took over the last window
	since observation
}

// window is the time in which the cap holds.
const window = time.Second

// forget is the weight of a new figure where it is lower than the one held.
// Higher ones count at once: to expect too little garbage costs more than to
// expect too much.
const forget = 0.1

// costMargin is how much dearer than the last ones the next cycle may be.
const costMargin = 1.1

func (d demand) learn(o *observation, cap float64) demand {
	if !d.seen {
		return demand{seen: true, last: *o, since: *o}
	}
	cycles := o.cycles - d.last.cycles
	total := o.totalCPU - d.last.totalCPU
	if cycles == 0 || total <= 0 || o.procs == 0 {
		return d
	}
	gc := o.gcCPU - d.last.gcCPU
	if scan := o.heap.scan(); scan > 0 {
		d.cost = held(d.cost, gc/float64(cycles)/float64(scan))
	}
	user := (total - gc - (o.idleCPU - d.last.idleCPU)) / total
	rate := float64(o.allocs-d.last.allocs) * float64(o.procs) / total
	if over := gc/total - cap; over > 0 {
		// Collections have slowed the program down. At the cap it would use
		// what they took beyond it to make more garbage.
		rate *= min(1+over/max(user, 0.01), 4)
	}
	d.rate = held(d.rate, rate)
	d.last = *o
	if o.now-d.since.now >= window {
		d.share = (o.gcCPU - d.since.gcCPU) / (o.totalCPU - d.since.totalCPU)
		d.since = *o
	}
	return d
}

func held(old, now float64) float64 { return max(now, old+(now-old)*forget) }

// runway is the number of bytes that the program has to be able to allocate
// between two cycles, so that no window holds more of them than the cap pays
// for.
func (d demand) runway(h heap, procs int, cap float64) uint64 {
	cost := d.cost * float64(h.scan()) * costMargin
	perSecond := cap * float64(procs)
	if cost <= 0 || perSecond <= 0 {
		return 0
	}
	period := cost / perSecond
	if n := int(perSecond * window.Seconds() / cost); n >= 1 {
		// Whole cycles: with 2.5 in a second, some second would hold three.
		period = window.Seconds() / float64(n)
	}
	return uint64(min(d.rate*period, maxSize))
}
