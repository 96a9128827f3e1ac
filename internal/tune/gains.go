package tune

import (
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

// untimed are the metrics of the untimed runs that the table of gains shows.
var untimed = []string{"live-heap-bytes", "stw-p99-sec"}

// gains returns the effects of one mode on costs and latencies, in values that JSON can
// hold, and the figures of its untimed runs about heap and pauses.
func gains(doc *result.Document, mode string) []Gain {
	var out []Gain
	var keys []sample.Key
	for _, e := range result.Finite(doc).Effects {
		if e.Mode != mode {
			continue
		}
		out = append(out, Gain{e.Key.String(), e.Metric, e.Baseline, e.Candidate, e.Ratio, e.Low, e.High, verdict.Apart(e.Ratio, e.Baseline, e.Candidate)})
		if e.Metric == sample.Primary {
			keys = append(keys, e.Key)
		}
	}
	for _, k := range keys {
		for _, metric := range untimed {
			before, after := medianOf(doc.Untimed, k, doc.Baseline, metric), medianOf(doc.Untimed, k, mode, metric)
			if before > 0 && after > 0 {
				out = append(out, Gain{Benchmark: k.String(), Metric: metric, Before: before, After: after, Ratio: after / before})
			}
		}
	}
	return out
}

// medianOf returns the median of a metric over the runs of one benchmark in one mode, or
// 0 if it is not known.
func medianOf(runs []sample.Run, k sample.Key, mode, metric string) float64 {
	var all []float64
	for _, r := range runs {
		if v, ok := r.Values[metric]; ok && r.Key == k && r.Mode == mode {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return stats.Median(all)
}
