package collect

import (
	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
)

// Ceiling is the largest share of CPU that allocating less could save.
type Ceiling struct {
	High    float64            `json:"high"`    // of all CPU samples, 0 to 1
	Classes map[string]float64 `json:"classes"` // share of each cost class that has one
}

// ceilingOf returns the ceiling that a CPU profile shows: all of malloc and all
// of collecting, for no program can save more of what was sampled. nil without
// samples.
func ceilingOf(p *profile.Profile) *Ceiling {
	column, ok := p.Column("cpu")
	if !ok || p.Total(column) <= 0 {
		return nil
	}
	total, c := float64(p.Total(column)), &Ceiling{Classes: map[string]float64{}}
	for class, sum := range cost.Shares(p, column) {
		class := cost.Class(class)
		if sum != 0 {
			c.Classes[class.String()] = float64(sum) / total
		}
		if class.Malloc() || class.Collection() {
			c.High += float64(sum) / total
		}
	}
	return c
}
