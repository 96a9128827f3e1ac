package finding

import (
	"cmp"
	"slices"
)

// Price is the measured cost of executing a line's expression once. The expression was executed
// additional times, and the slope of CPU time over their number is the price.
type Price struct {
	CPU    float64 `json:"cpu"` // share of the target's CPU time, the mean over its benchmarks
	Low    float64 `json:"low"` // ends of its interval
	High   float64 `json:"high"`
	Times  int     `json:"times"`  // how often it was executed again
	Blocks int     `json:"blocks"` // pairs of runs
	// Why says why there is no price, "" if there is one.
	Why string `json:"why,omitempty"`
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
	if p := f.Price; p != nil && p.Why == "" {
		return max(p.High, f.Memory.High, f.Resident.High)
	}
	return max(f.Weight, f.Ceiling())
}
