package serve

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// Rates are the prices of a core and of a GiB of memory for an hour. Zero rates rank by the
// exchange rate of AWS Fargate, at which a core costs as much as 9.1 GiB.
type Rates struct{ CoreHour, GiBHour float64 }

// Known reports whether there is a price to show.
func (r Rates) Known() bool { return r.CoreHour > 0 || r.GiBHour > 0 }

// fargate are the rates in US dollars of AWS Fargate on Linux and x86 in us-east-1.
var fargate = Rates{0.04048, 0.004445}

const (
	monthHours = 730 // a mean month
	gib        = 1 << 30
)

// Month returns the price of so many cores and bytes for a month.
func (r Rates) Month(cores, bytes float64) float64 {
	return monthHours * (r.CoreHour*cores + r.GiBHour*bytes/gib)
}

// Rank is one finding of a service with its possible saving in the fleet.
type Rank struct {
	Service string
	At      int // the number of the finding in its service, from 0
	Finding *rules.Finding
	Cores   evidence.Range
	Bytes   evidence.Range
	Month   evidence.Range // money; without rates, Fargate's serve
}

// rank returns the findings of a service, priced.
func rank(j *Judgement, rates Rates) []Rank {
	if j.Diagnosis == nil {
		return nil
	}
	if !rates.Known() {
		rates = fargate
	}
	var all []Rank
	for i := range j.Diagnosis.Findings {
		f := &j.Diagnosis.Findings[i]
		r := Rank{Service: j.Service, At: i, Finding: f}
		r.Cores = evidence.Range{Low: f.CPU.Low * j.Usage.Cores, High: f.CPU.High * j.Usage.Cores}
		r.Bytes.Low = f.Memory.Low * j.Usage.Live
		// With GOGC=100, a live byte less is up to two bytes less of heap.
		r.Bytes.High = f.Memory.High * min(2*j.Usage.Live, j.Usage.Bytes)
		r.Month.Low, r.Month.High = rates.Month(r.Cores.Low, r.Bytes.Low), rates.Month(r.Cores.High, r.Bytes.High)
		all = append(all, r)
	}
	return all
}

// byCost sorts ranks, those that could save most first.
func byCost(all []Rank) {
	slices.SortStableFunc(all, func(a, b Rank) int {
		return cmp.Or(cmp.Compare(b.Month.High, a.Month.High), cmp.Compare(b.Month.Low, a.Month.Low),
			cmp.Compare(a.Service, b.Service))
	})
}
