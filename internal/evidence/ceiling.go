package evidence

import "math"

// factor is the part of a cost's samples that vanishes with the allocations, and
// how far off that may be either way: about two standard deviations.
// bench/ceilings compares predictions with measured cures. docs/internals/ceilings.md
// explains how the factors were fitted, and how they do on other pairs.
type factor struct{ middle, spread float64 }

var (
	// The allocator runs partly while the program's own code waits for memory,
	// and a cure has costs of its own: a slab's cursor, a pool's lock.
	ofAllocating = factor{0.7, 0.1}
	// A conversion that is gone and a slice that has room copy no more; a text that
	// is not made is not formatted.
	ofCopying = factor{1, 0.2}
	// Marking drives the program's own data out of the processor's caches, and the
	// memory allocated next was last used a collection ago. A cured program uses
	// the same memory again, which no sample of the collector shows.
	ofCollection = factor{1.7, 0.3}
	// A run without collections has no such memory either: all of it is new.
	ofCollecting    = factor{1.1, 0.5}
	ofScheduling    = factor{0.7, 0.5}
	cycleScheduling = 0.0005 // seconds: starting a cycle wakes processors, which then look for work
	ofTouching      = factor{0.1, 0.05}
	touchingSeconds = 1e-9            // per byte, times ofTouching: the first use of memory outside the caches
	touchingUnknown = 1.5             // per sample of allocating, where the rate of allocation is unknown
	minHeap         = 4.0 * (1 << 20) // bytes: no collection begins below it at GOGC=100 (heapMinimum of mgcpacer.go)
	chance          = 1.64            // standard deviations of a count of samples, of which 90% lie within
	// unexplained is the error of the sum, as a share of it, beyond the errors of
	// its parts: no profile shows which work runs in parallel.
	unexplained = 0.29
)

// charge is the cost of the allocations of a stack, of a site or of several.
type charge struct {
	allocating float64 // CPU samples: allocating
	collecting float64 // CPU samples: sweeping and assisting on its behalf
	copying    float64 // CPU samples: copying into the new memory
	recent     float64 // bytes allocated in Evidence.Window
	live       float64 // bytes that live
}

func (c *charge) add(d charge) {
	c.allocating += d.allocating
	c.collecting += d.collecting
	c.copying += d.copying
	c.recent += d.recent
	c.live += d.live
}

// model estimates the saving by removing allocations. It holds the sums that charges
// are shares of, and the CPU time that belongs to no site but falls with the bytes
// that all of them allocate.
type model struct {
	total      charge  // the sum of all sites
	samples    float64 // samples of the whole CPU profile
	collection float64 // samples: marking by workers, sweeping in the background, write barriers
	scheduling float64 // samples of the runtime alone: finding and waking goroutines
	touching   float64 // samples, before its factor: first use of new memory
	excess     float64 // share of collecting that the bytes allocated do not cause
}

// interval is a number of samples with its variance.
type interval struct{ samples, variance float64 }

func (e *interval) add(n float64, f factor) {
	e.samples += n * f.middle
	// The errors of the parts are independent, so their variances add up. A count
	// of samples is a Poisson variable.
	e.variance += n*f.spread*n*f.spread + chance*chance*n*f.middle*f.middle
}

// ceiling returns the share of all samples that removing allocations saves.
func (m *model) ceiling(c charge) Range {
	if m.samples == 0 || c == (charge{}) {
		return Range{}
	}
	bytes, alive := m.parts(c)
	// The number of cycles falls with the bytes allocated. If their live part goes
	// as well, each cycle has less to mark.
	both := 1 - (1-bytes)*(1-alive)
	var e interval
	caused := 1 - m.excess
	e.add(c.allocating+c.collecting*caused, ofAllocating)
	e.add(c.copying, ofCopying)
	e.add(m.collection*caused*(bytes+both)/2, ofCollection)
	e.variance += math.Pow(m.collection*caused*(both-bytes)/2, 2)
	e.add(m.scheduling*bytes, ofScheduling)
	e.add(m.touching*bytes, ofTouching)
	e.variance += math.Pow(unexplained*e.samples, 2)
	return m.between(e)
}

// collecting returns the share of CPU time that a run without collections saves,
// from the share sampled in the collector, assists and sweeping included. Such a
// run also misses caches with ever new memory, which is not in the estimate.
func (m *model) collecting(sampled float64) Range {
	if m.samples == 0 {
		return Range{}
	}
	var e interval
	e.add(sampled*m.samples, ofCollecting)
	e.add(m.scheduling, ofScheduling)
	return m.between(e)
}

// between returns the ends of an estimate, which is at most all samples.
func (m *model) between(e interval) Range {
	middle, width := min(e.samples, m.samples), math.Sqrt(e.variance)
	return Range{Clamp((middle - width) / m.samples), Clamp((middle + width) / m.samples)}
}

// memory returns the share of the live heap.
func (m *model) memory(c charge) Range {
	_, alive := m.parts(c)
	return Range{alive, alive}
}

// parts returns the shares of the bytes allocated and of the live heap that are
// removed. Without a heap profile the time spent allocating stands for bytes.
func (m *model) parts(c charge) (bytes, alive float64) {
	switch {
	case m.total.recent > 0:
		bytes = c.recent / m.total.recent
	case m.total.allocating+m.total.collecting > 0:
		bytes = (c.allocating + c.collecting) / (m.total.allocating + m.total.collecting)
	}
	if m.total.live > 0 {
		alive = c.live / m.total.live
	}
	return Clamp(bytes), Clamp(alive)
}

// Clamp keeps a share between 0 and 1.
func Clamp(share float64) float64 { return max(0, min(share, 1)) }
