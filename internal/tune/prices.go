package tune

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
)

// Prices are what resources cost a month, in any currency.
type Prices struct {
	CPU       float64 // of a vCPU
	GiB       float64 // of memory
	Instances float64
}

// savings prices the change of CPU and of peak RSS in one mode. A benchmark's
// process is taken for an instance. nil where a price or a figure is missing.
func (p Prices) savings(doc *result.Document, mode string) *Savings {
	if p.Instances == 0 {
		return nil
	}
	var cpus, saved, held, more []float64
	for _, e := range doc.Effects {
		if e.Mode != mode {
			continue
		}
		switch e.Metric {
		case sample.Primary:
			if used := e.Baseline * perSecond(doc, e.Key); used > 0 {
				cpus = append(cpus, used)
				saved = append(saved, used*(1-e.Ratio))
			}
		case rss:
			held = append(held, e.Baseline)
			more = append(more, e.Candidate-e.Baseline)
		}
	}
	if len(saved) == 0 {
		return nil
	}
	s := &Savings{Before: stats.Median(cpus) * p.CPU * p.Instances, CPU: stats.Median(saved) * p.CPU * p.Instances}
	s.Basis = fmt.Sprintf("%g instances, each using %.2f CPUs as measured, of which %.2f are saved", p.Instances, stats.Median(cpus), stats.Median(saved))
	if len(more) > 0 {
		gib := stats.Median(more) / (1 << 30)
		s.Memory = -gib * p.GiB * p.Instances
		s.Before += stats.Median(held) / (1 << 30) * p.GiB * p.Instances
		s.Basis += fmt.Sprintf(", and %+.3f GiB of peak RSS", gib)
	}
	s.Total = s.CPU + s.Memory
	return s
}

// perSecond is how many operations the baseline does in a second: those that fit
// into it, or of a server the requests that it was sent and answered. 0 is
// unknown.
func perSecond(doc *result.Document, k sample.Key) float64 {
	if wall := medianOf(doc.Runs, k, doc.Baseline, "sec/op"); wall > 0 {
		return 1 / wall
	}
	return medianOf(doc.Runs, k, doc.Baseline, "requests/s")
}
