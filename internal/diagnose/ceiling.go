package diagnose

import "math"

// factor says how much of what is sampled of a part of the costs goes with the
// allocations, and how far off that may be either way: about two standard
// deviations. bench/ceilings holds predictions against measured cures, and
// docs/diagnose.md tells how these were found and how they do on pairs that they
// were not found on.
type factor struct{ middle, spread float64 }

var (
	// The allocator runs partly while the program's own code waits for memory,
	// and a cure has costs of its own: a slab's cursor, a pool's lock.
	ofDirect = factor{0.7, 0.1}
	// A conversion that is gone and a slice that has room copy no more; a text that
	// is not made is not formatted.
	ofCopied = factor{1, 0.2}
	// Marking drives the program's own data out of the processor's caches, and
	// what is allocated next was last used a collection ago. A cured program uses
	// the same memory again, which no sample of the collector shows.
	ofCollection = factor{1.7, 0.3}
	// A run without collections has no such memory either: all of it is new.
	ofCollecting    = factor{1.1, 0.5}
	ofScheduling    = factor{0.7, 0.5}
	cycleScheduling = 0.0005 // seconds: starting a cycle wakes processors, which then look for work
	ofTouching      = factor{0.1, 0.05}
	touchingSeconds = 1e-9            // per byte, times the factor above: the first use of memory that is not in a cache
	touchingUnknown = 1.5             // instead of seconds where the rate of allocation is unknown: per direct
	minHeap         = 4.0 * (1 << 20) // bytes: no collection begins below it at GOGC=100 (heapMinimum of mgcpacer.go)
	chance          = 1.64            // standard deviations of a count of samples, of which 90 % lie within
	// unexplained is what the sum is off by, as a share of it, beyond what its
	// parts are: no profile tells which of the work is done side by side.
	unexplained = 0.29
)

// toll is what allocations cost: of a stack, of a site, of several.
type toll struct {
	direct float64 // CPU samples: allocating, and sweeping and assisting on its behalf
	copied float64 // CPU samples: copying into what was allocated
	recent float64 // bytes allocated in Evidence.Window
	live   float64 // bytes that live
}

func (s *toll) add(t toll) {
	s.direct += t.direct
	s.copied += t.copied
	s.recent += t.recent
	s.live += t.live
}

// pool is what the ceilings of sites are shares of, and the CPU time that
// belongs to no site but falls with the bytes that all of them allocate.
type pool struct {
	toll               // of all sites
	samples    float64 // of the whole CPU profile
	collection float64 // samples: marking by workers, sweeping in the background, write barriers
	idle       float64 // samples: the part of marking done by idle workers
	scheduling float64 // samples of the runtime alone: finding and waking whom to run
	touching   float64 // samples, before its factor: first use of new memory
}

// estimate is a number of samples with its variance.
type estimate struct{ samples, variance float64 }

func (e *estimate) add(n float64, f factor) {
	e.samples += n * f.middle
	// The errors of the parts have nothing to do with each other, so their
	// squares add up. A count of samples is a Poisson variable.
	e.variance += n*f.spread*n*f.spread + chance*chance*n*f.middle*f.middle
}

// ceiling returns the share of all samples that removing allocations saves.
func (p *pool) ceiling(s toll) Range {
	if p.samples == 0 || s == (toll{}) {
		return Range{}
	}
	bytes, alive := p.parts(s)
	// The number of cycles falls with the bytes allocated. With what lives of
	// them gone as well, each would have less to mark.
	both := 1 - (1-bytes)*(1-alive)
	var e estimate
	e.add(s.direct, ofDirect)
	e.add(s.copied, ofCopied)
	e.add(p.collection*(bytes+both)/2, ofCollection)
	e.variance += math.Pow(p.collection*(both-bytes)/2, 2)
	e.add(p.scheduling*bytes, ofScheduling)
	e.add(p.touching*bytes, ofTouching)
	e.variance += math.Pow(unexplained*e.samples, 2)
	return p.between(e)
}

// collecting returns the share of CPU time that collecting costs, assists and
// sweeping that allocations had to do included: what a run without collections
// saves, but for the caches that ever new memory then misses.
func (p *pool) collecting(c *Costs) Range {
	var e estimate
	e.add(c.Collection*p.samples, ofCollecting)
	e.add(p.scheduling, ofScheduling)
	return p.between(e)
}

// between returns the ends of an estimate, which is of no more than there is.
func (p *pool) between(e estimate) Range {
	middle, width := min(e.samples, p.samples), math.Sqrt(e.variance)
	return Range{clamp((middle - width) / p.samples), clamp((middle + width) / p.samples)}
}

// memory returns the share of the live heap.
func (p *pool) memory(s toll) Range {
	_, alive := p.parts(s)
	return Range{alive, alive}
}

// parts returns which shares of the bytes allocated and of the live heap are
// removed. Without a heap profile the time spent allocating stands for bytes.
func (p *pool) parts(s toll) (bytes, alive float64) {
	switch {
	case p.recent > 0:
		bytes = s.recent / p.recent
	case p.direct > 0:
		bytes = s.direct / p.direct
	}
	if p.live > 0 {
		alive = s.live / p.live
	}
	return clamp(bytes), clamp(alive)
}

func clamp(share float64) float64 { return max(0, min(share, 1)) }
