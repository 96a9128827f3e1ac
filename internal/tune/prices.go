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
	CPU       float64 `json:"cpu"` // price of a vCPU
	GiB       float64 `json:"gib"` // price of a GiB of memory
	Instances float64 `json:"instances"`
}

const (
	// usualRate is the number of GiB of memory that cost as much as a vCPU, if no prices
	// are given: on AWS Fargate (Linux/x86, us-east-1, on demand) a vCPU-hour costs
	// $0.04048 and a GB-hour $0.004445.
	usualRate = 9.1
	// leastHeld is the memory in GiB that is paid for in any case: the smallest task
	// of Fargate. So the memory of a small process is not free either.
	leastHeld = 0.5
)

// rate returns the number of GiB that cost as much as a vCPU.
func (p Prices) rate() float64 {
	if p.CPU > 0 && p.GiB > 0 {
		return p.CPU / p.GiB
	}
	return usualRate
}

// tooExpensive returns the reason why the memory of a mode costs more than its CPU
// saves, or "". The saved share of CPU counts as that share of one vCPU. The growth of
// peak RSS counts as that share of the process's memory, or of leastHeld if that is
// more.
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
	s.Basis = fmt.Sprintf("%g instances, each using %s CPUs as measured, of which %s are saved", p.Instances,
		format.Digits(stats.Median(cpus)), format.Digits(stats.Median(saved)))
	if len(more) > 0 {
		gib := stats.Median(more) / (1 << 30)
		s.Memory = -gib * p.GiB * p.Instances
		s.Before += stats.Median(held) / (1 << 30) * p.GiB * p.Instances
		s.Basis += ", and " + format.Plus(gib, format.Bytes(gib*(1<<30))) + " of peak RSS"
	}
	s.Total = s.CPU + s.Memory
	return s
}

// perSecond returns how many operations the baseline does in a second. For a server,
// these are the requests that it answered under the load. 0 means unknown.
func perSecond(doc *result.Document, k sample.Key) float64 {
	if wall := medianOf(doc.Runs, k, doc.Baseline, "sec/op"); wall > 0 {
		return 1 / wall
	}
	return medianOf(doc.Runs, k, doc.Baseline, "requests/s")
}
