package gctune

import (
	"slices"
	"time"
)

// demand learns what a collection costs and how fast the program makes
// garbage, and from both the room that collections need in order to stay
// under the CPU cap. It learns once per cycle: the runtime updates its CPU
// figures in mark termination only (metrics.go, cpuStatsAggregate).
type demand struct {
	seen  bool
	last  observation
	cost  figure // CPU seconds per byte scanned, in one cycle
	given figure // share of the CPU time counted by the runtime that the process had
	rate  figure // bytes allocated per second, were collections at the cap
	paid  ledger
	share float64 // share of the CPU that collections took over the last window
	since observation
}

// window is the time in which the cap holds.
const window = time.Second

// figure is something measured once per cycle. A single one may be far off,
// when other processes take the CPU from a marking phase: the runtime counts
// its workers' wall time.
type figure struct {
	// high takes a higher figure at once and a lower one slowly: where memory
	// is plentiful, too much room costs little.
	high float64
	last [5]float64
	n    int
}

func (f figure) learn(x float64) figure {
	const forget = 0.1
	f.high = max(x, f.high+(x-f.high)*forget)
	f.last[f.n%len(f.last)] = x
	f.n++
	return f
}

// usual is the median of the last figures: where memory is short, one that is
// far off must not give it up.
func (f figure) usual() float64 {
	sorted := f.last
	slices.Sort(sorted[:])
	seen := min(f.n, len(sorted))
	if seen == 0 {
		return 0
	}
	return sorted[len(sorted)-seen+seen/2] // those not seen yet are 0, first
}

const (
	// costMargin is how much dearer than the last ones the next cycle may be.
	costMargin = 1.1

	// Other processes take the CPU from this one where it is given less than
	// contendedBelow of what the runtime counts; threads that wait in the kernel
	// and late looks account for the rest. Below leastGiven nothing is believed.
	contendedBelow, leastGiven = 0.8, 1.0 / 16
)

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
	busy := total - (o.idleCPU - d.last.idleCPU)
	given := givenOf(o.cpu-d.last.cpu, busy)
	d.paid = d.paid.add(o.now, gc, cycles)
	if scan := o.heap.scan(); scan > 0 {
		d.cost = d.cost.learn(gc / float64(cycles) / float64(scan))
		d.given = d.given.learn(given)
	}
	user := (busy - gc) / total * given
	rate := float64(o.allocs-d.last.allocs) * float64(o.procs) / total
	if over := gc/total*given - cap; over > 0 {
		// Collections have slowed the program down. At the cap it would use
		// what they took beyond it to make more garbage.
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

// givenOf is the share of the counted CPU seconds that the process was given.
func givenOf(cpu, counted float64) float64 {
	if cpu <= 0 || cpu >= counted*contendedBelow {
		return 1
	}
	return max(cpu/counted, leastGiven)
}

// usuallyGiven is the share of the CPU time counted that the process had, 1
// before the first cycle.
func (d *demand) usuallyGiven() float64 {
	if d.given.n == 0 {
		return 1
	}
	return d.given.usual()
}

// contended reports whether other processes take the CPU, so that collections
// count for more than they cost.
func (d *demand) contended() bool { return d.usuallyGiven() < 1 }

// runway is the room over the live heap that the program needs so that no
// window holds more cycles than the cap pays for, in bytes: with room for the
// unexpected, as the runtime counts; and the usual, of what cycles cost in
// truth, since memory that is short is not given up for time that others took.
func (d demand) runway(h heap, procs int, cap float64) (ample, usual uint64) {
	budget := cap * float64(procs) // CPU seconds per second
	room := func(cost, rate float64) uint64 {
		cost *= float64(h.scan()) * costMargin
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
	return room(d.cost.high, d.rate.high), room(d.cost.usual()*d.usuallyGiven(), d.rate.usual())
}

// owed is the room over the live heap that the program needs because of what
// the present window has paid already, in bytes: for those
// that it has allocated since the last one, and those that it will while it has
// to wait. The next cycle is taken to be as dear as the last one or the usual.
func (d demand) owed(o *observation, cap float64) uint64 {
	next := max(d.paid.newest, d.cost.usual()*float64(o.heap.scan())) * costMargin
	wait := d.paid.wait(o.now, next, cap*float64(o.procs)*window.Seconds())
	if wait == 0 {
		return 0
	}
	allocated, rate := float64(o.allocs-d.last.allocs), d.rate.usual()
	return uint64(min(roomFor(allocated+rate*wait.Seconds(), rate*next/float64(o.procs)), maxSize))
}
