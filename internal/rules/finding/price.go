package finding

import (
	"cmp"
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
}

// Saves returns the saving of a remedy at the line: from the price of its memory alone, which a
// remedy saves at least, to the price of the whole expression. It reports false if neither was
// measured.
func (p *Price) Saves() (evidence.Range, bool) {
	memory := p.Memory
	if memory != nil && memory.Why != "" {
		memory = nil
	}
	switch {
	case p.Why == "" && memory != nil:
		return evidence.Range{Low: min(p.Low, memory.Low), High: max(p.High, memory.High)}, true
	case p.Why == "":
		return evidence.Range{Low: p.Low, High: p.High}, true
	case memory != nil:
		return evidence.Range{Low: memory.Low, High: memory.High}, true
	}
	return evidence.Range{}, false
}

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
