package collect

import (
	"context"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
)

// Ceiling is the largest share of CPU that allocating less could save, as an interval.
// heapwright diagnose shows the same for the same profiles.
type Ceiling struct {
	Low     float64            `json:"low"`
	High    float64            `json:"high"`
	Sampled float64            `json:"sampled"` // share of malloc and GC in all CPU samples
	Classes map[string]float64 `json:"classes"` // share of each cost class that has one
}

// ceilingOf returns the ceiling according to a CPU profile and the heap profiles before and
// after it, or nil if there are no samples. A heap profile may be nil.
func ceilingOf(cpu *answer, heaps [2]*answer, opts profile.Options) (*Ceiling, error) {
	c := sampled(cpu.profile)
	if c == nil {
		return nil, nil
	}
	all := evidence.NewProfilesWith(opts)
	for _, f := range append(heaps[:], cpu) {
		if f == nil || f.profile.Len() == 0 { // the program has allocated too little for a sample
			continue
		}
		if err := all.AddBytes(f.profile.Name, f.data); err != nil {
			return nil, err
		}
	}
	e, err := evidence.New(context.Background(), all, nil, evidence.Runtime{})
	if err != nil {
		return nil, err
	}
	c.Low, c.High = e.Costs.Ceiling.Low, e.Costs.Ceiling.High
	return c, nil
}

// sampled returns a ceiling with the figures that follow from the samples alone.
func sampled(p *profile.Profile) *Ceiling {
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
			c.Sampled += float64(sum) / total
		}
	}
	return c
}
