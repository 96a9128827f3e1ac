package finding

import (
	"cmp"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
)

// Price is the measured cost of executing a line's expression once. The expression was executed
// additional times, and the slope of CPU time over their number is the price.
type Price struct {
	CPU    float64 `json:"cpu"` // share of the target's CPU time, the mean over its benchmarks
	Low    float64 `json:"low"` // ends of its interval
	High   float64 `json:"high"`
	Times  float64 `json:"times"`  // how often it was executed again
	Blocks int     `json:"blocks"` // pairs of runs
	// Why says why there is no price, "" if there is one.
	Why string `json:"why,omitempty"`
	// Memory is the price of an allocation of the line's size alone: the least that a remedy
	// saves which puts another expression in this one's place. It is nil where it was not
	// measured.
	Memory *Price `json:"memory,omitempty"`
	// Patch is the saving of the finding's patch: the program with it was compared with the
	// program as it is. It is nil where the finding has no patch.
	Patch *Price `json:"patch,omitempty"`
	// Bytes is the share of all bytes allocated that a patch saves, in the price of a patch.
	Bytes float64 `json:"bytes,omitempty"`
	// Floor is set for a patch that still makes the objects, in memory that costs less: an
	// arena. A remedy that does not make them saves more.
	Floor bool `json:"floor,omitempty"`
	// Noise is the half-width of the interval of one comparison, as a share of the CPU time that
	// it compares: the larger one of the expression's and its memory's.
	Noise float64 `json:"noise,omitempty"`
	// Stores is set if a remedy at the line may store the same data elsewhere, as an arena does.
	Stores bool `json:"stores,omitempty"`
	// Estimate is the saving by the samples at the line. Its errors and the price's have
	// different causes.
	Estimate evidence.Range `json:"estimate,omitzero"`
	// Work is the share of CPU time at the line and in its callees that is not for allocating,
	// by the samples.
	Work float64 `json:"work,omitempty"`
	// Later is the share of CPU time of the runtime's work on the object at other lines: copies
	// into it, and the operations of a map. A remedy that needs no such object spares it.
	Later float64 `json:"later,omitempty"`
}

// unexplained is the error of an amplified price beyond its interval, as a share of it. At lines
// that only allocate, the loops for the expression and for the memory measure the same. Their
// logarithms differ by a root mean square of 0.24 over the pairs of bench/ceilings, which is 0.17
// for each of the two. No cure is in that.
const unexplained = 0.17

// Saves returns the saving of a remedy at the line, and reports false if nothing was measured.
// A patch's own saving is the most exact. Without one, two measurements are joined: by extra
// executions, and by samples.
func (p *Price) Saves() (evidence.Range, bool) {
	line, ok := p.Line()
	line = Again(line, p.Noise)
	patch, measured := p.Patch.interval()
	switch {
	case !measured:
		return line, ok
	case p.Patch.Floor && ok:
		return Above(p.Patch, line, p.Estimate.High), true
	}
	return patch, true
}

// Above returns the saving of a remedy that does not make the objects, by the saving of an arena,
// which makes them, and the line's. If the line's is less, it misses the objects' later cost, and
// the samples' high end is all that is known.
func Above(arena *Price, line evidence.Range, sampled float64) evidence.Range {
	if line.Middle() <= arena.CPU {
		line.High = max(arena.High, sampled)
	}
	return evidence.Range{Low: arena.Low, High: max(arena.High, line.High)}
}

// Again returns the interval in which a saving lies when it is measured again: that comparison
// has noise of its own, as a share of the CPU time that is left.
func Again(r evidence.Range, noise float64) evidence.Range {
	middle := r.Middle()
	half := math.Hypot((r.High-r.Low)/2, noise*max(0, 1-middle))
	return evidence.Range{Low: middle - half, High: middle + half}
}

// Line returns the saving of any remedy at the line, whatever its patch saves.
func (p *Price) Line() (evidence.Range, bool) {
	expression, whole := p.interval()
	memory, part := p.Memory.interval()
	saves := expression
	switch {
	case whole && part && memory.Low <= p.Low && p.High <= memory.High:
		// The memory costs no more than the expression, so that says nothing.
	case whole && part:
		saves = evidence.Range{Low: min(p.Low, memory.Low), High: max(p.High, memory.High)}
	case part:
		// The memory alone is the least. A remedy that takes the expression away also saves the
		// line's own work, which could not be executed again.
		high := max(memory.High, p.Estimate.High)
		return evidence.Range{Low: min(max(memory.Low, p.Estimate.Low), high), High: min(1, high+max(p.Work, p.Later))}, true
	case !whole:
		return saves, false
	}
	// Another expression in this one's place may do the same work.
	saves.Low = max(0, min(saves.Low, p.Low-p.Work))
	saves = joined(saves, p.Estimate)
	if p.Stores {
		saves.Low = min(saves.Low, p.Estimate.Low)
	}
	saves.High = max(saves.High, min(1, saves.High+p.Later))
	return saves, true
}

func (p *Price) interval() (r evidence.Range, ok bool) {
	if p == nil || p.Why != "" {
		return r, false
	}
	return evidence.Range{Low: p.Low, High: p.High}, true
}

// joined returns the mean of two measurements of the same saving, each weighted by its precision.
// If they differ by more than their errors allow, the interval is wider by as much (the ratio of
// Birge, as in the averages of the Particle Data Group).
func joined(amplified, sampled evidence.Range) evidence.Range {
	if sampled.High <= 0 {
		return amplified
	}
	a, b := amplified.Middle(), sampled.Middle()
	varA := square(amplified.High-a) + square(unexplained*a)
	varB := square(sampled.High - b)
	if varA == 0 || varB == 0 {
		return amplified
	}
	middle := (a/varA + b/varB) / (1/varA + 1/varB)
	half := math.Sqrt(1 / (1/varA + 1/varB))
	half *= max(1, math.Abs(a-b)/math.Sqrt(varA+varB))
	return evidence.Range{Low: middle - half, High: middle + half}
}

func square(x float64) float64 { return x * x }

// ByPrice orders findings by the most that they save: by the price's interval where a line has
// one, else by the ceiling. Settings keep their places, and test code stays last.
func ByPrice(all []Finding) {
	var places []int
	var moved []Finding
	for i, f := range all {
		if !f.Spares && !f.OfTest() {
			places, moved = append(places, i), append(moved, f)
		}
	}
	slices.SortStableFunc(moved, func(a, b Finding) int { return cmp.Compare(b.most(), a.most()) })
	for i, at := range places {
		all[at] = moved[i]
	}
}

// most is the largest share of CPU or of memory that the finding could save, as far as is known.
func (f *Finding) most() float64 {
	if f.Price != nil {
		if saves, ok := f.Price.Saves(); ok {
			return max(saves.High, f.Memory.High, f.Resident.High)
		}
	}
	return max(f.Weight, f.Ceiling())
}
