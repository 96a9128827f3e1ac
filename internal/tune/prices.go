package tune

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
)

// Prices are the costs of resources in a month, in any currency.
type Prices struct {
	CPU       float64 `json:"cpu"` // of a vCPU
	GiB       float64 `json:"gib"` // of memory
	Instances float64 `json:"instances"`
}

const (
	// usualRate is how many GiB of memory cost as much as a vCPU where no prices are
	// given: on AWS Fargate (Linux/x86, us-east-1, on demand) a vCPU-hour costs
	// $0.04048 and a GB-hour $0.004445.
	usualRate = 9.1
	// leastHeld is the memory in GiB that is paid for in any case: the smallest task
	// of Fargate. A smaller process does not make memory free.
	leastHeld = 0.5
)

// rate returns how many GiB cost as much as a vCPU.
func (p Prices) rate() float64 {
	if p.CPU > 0 && p.GiB > 0 {
		return p.CPU / p.GiB
	}
	return usualRate
}

// tooExpensive returns the reason why a mode costs more in memory than it saves in
// CPU, or "". It values the share of CPU saved as that of one vCPU, and the growth
// of peak RSS as that of the memory the process holds, or of the least that is paid for.
func (p Prices) tooExpensive(doc *result.Document, t *Tried) string {
	growth, known := t.Change[rss]
	if !known || growth <= 1 {
		return ""
	}
	peak, _ := largest(doc, t.Mode, rss)
	held := max(leastHeld, peak/growth/(1<<30))
	gain, price := (1-t.Change[sample.Primary])*p.rate(), (growth-1)*held
	if gain >= price {
		return ""
	}
	return fmt.Sprintf("it takes %s of peak RSS for %s of CPU, which costs more than it saves where %s GiB cost as much as a vCPU",
		format.Change(growth), format.Change(t.Change[sample.Primary]), format.Digits(p.rate()))
}

// savings prices the change of CPU and of peak RSS in one mode. A benchmark's
// process counts as an instance. The result is nil if a price or a figure is missing.
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
	s.Basis = fmt.Sprintf("%g instances, each using %s CPUs as measured, of which %s are saved", p.Instances, format.Digits(stats.Median(cpus)), format.Digits(stats.Median(saved)))
	if len(more) > 0 {
		gib := stats.Median(more) / (1 << 30)
		s.Memory = -gib * p.GiB * p.Instances
		s.Before += stats.Median(held) / (1 << 30) * p.GiB * p.Instances
		s.Basis += ", and " + format.Plus(gib, format.Bytes(gib*(1<<30))) + " of peak RSS"
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
