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
// process is taken for an instance: it uses so many CPUs as its CPU time is of
// its wall time. nil where a price or a figure is missing.
func (p Prices) savings(doc *result.Document, mode string) *Savings {
	if p.Instances == 0 {
		return nil
	}
	var cpus, saved, more []float64
	for _, e := range doc.Effects {
		if e.Mode != mode {
			continue
		}
		switch e.Metric {
		case sample.Primary:
			if wall := medianOf(doc, e.Key, doc.Baseline, "sec/op"); wall > 0 {
				cpus = append(cpus, e.Baseline/wall)
				saved = append(saved, e.Baseline/wall*(1-e.Ratio))
			}
		case rss:
			more = append(more, e.Candidate-e.Baseline)
		}
	}
	if len(saved) == 0 {
		return nil
	}
	s := &Savings{CPU: stats.Median(saved) * p.CPU * p.Instances}
	s.Basis = fmt.Sprintf("%g instances, each using %.2f CPUs as measured, of which %.2f are saved", p.Instances, stats.Median(cpus), stats.Median(saved))
	if len(more) > 0 {
		gib := stats.Median(more) / (1 << 30)
		s.Memory = -gib * p.GiB * p.Instances
		s.Basis += fmt.Sprintf(", and %+.3f GiB of peak RSS", gib)
	}
	s.Total = s.CPU + s.Memory
	return s
}

func medianOf(doc *result.Document, k sample.Key, mode, metric string) float64 {
	var all []float64
	for _, r := range doc.Runs {
		if v, ok := r.Values[metric]; ok && r.Key == k && r.Mode == mode {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return stats.Median(all)
}
