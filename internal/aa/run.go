package aa

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
)

// Plan says how often a mode is compared with itself.
type Plan struct {
	// Experiment is each of the experiments, which has one mode. Its Seed is
	// that before the first; the results are written to folders in its OutDir.
	Experiment  experiment.Plan
	Sittings    int  // repetitions of everything, each with newly written files
	Experiments int  // experiments of each placement in a sitting
	Fixed       bool // also with copies that stay for a whole experiment
	// NewDocument begins the document of an experiment with a seed.
	NewDocument func(seed uint64) *result.Document
	// Watch shows the events of an experiment with a title until it is called
	// off.
	Watch func(title string) (events result.Handler, done func())
}

// places are the placements of files that a sitting compares.
func (p *Plan) places() []experiment.Placement {
	places := []experiment.Placement{experiment.Same, experiment.Fresh}
	if p.Fixed {
		places = append(places, experiment.Fixed)
	}
	return places
}

// Count is the number of experiments.
func (p *Plan) Count() int { return p.Sittings * p.Experiments * len(p.places()) }

// Run carries the plan out and returns the sum of the experiments that were
// finished, which is in aa.json after each.
func Run(ctx context.Context, p Plan) (*Summary, error) {
	places := p.places()
	sum := NewSummary(places)
	each := p.Experiments * len(places) // experiments in a sitting
	for n := range p.Count() {
		sitting, place := n/each, places[n%len(places)]
		events, done := p.Watch(fmt.Sprintf("experiment %d of %d: sitting %d, %s", n+1, p.Count(),
			sitting+1, PlaceName(place)))
		doc := p.NewDocument(p.Experiment.Seed + uint64(n+1))
		x := p.Experiment
		x.Again, x.Place, x.Handler, x.Seed = []string{"again"}, place, events, doc.Seed
		x.OutDir = filepath.Join(x.OutDir, fmt.Sprintf("%03d", n+1))
		err := experiment.Run(ctx, x, doc, nil)
		done()
		if err != nil {
			return sum, err
		}
		sum.Add(place, sitting, doc)
		if err := sum.Save(filepath.Join(p.Experiment.OutDir, "aa.json")); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
