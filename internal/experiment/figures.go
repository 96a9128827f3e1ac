package experiment

import (
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// accounted returns what the kernel accounted to a run, by metric.
func accounted(u probe.Usage, iterations int) map[string]float64 {
	n := float64(iterations)
	values := map[string]float64{sample.Primary: u.CPU().Seconds() / n}
	if u.PeakRSS > 0 {
		values["peak-RSS-bytes"] = float64(u.PeakRSS)
	}
	if faults := u.MinorFaults + u.MajorFaults; faults > 0 {
		values["page-faults/op"] = float64(faults) / n
	}
	return values
}
