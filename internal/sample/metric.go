package sample

import "strings"

// Direction says which way a metric is better.
type Direction int

const (
	Lower   Direction = iota // less is better: CPU, bytes
	Higher                   // more is better: MB/s
	Neutral                  // neither: a heap goal, a live heap; shown, never judged
)

// Metric describes one measured quantity.
type Metric struct {
	Name   string // the name in results.txt: "cpu-sec/op"
	Title  string // the name in views: "CPU"
	Better Direction
	Judged bool // takes part in the verdicts; the others are shown only
	Paired bool // measured in every block; otherwise from separate, untimed runs
	Served bool // only servers under load have it
}

// Primary is the metric that decides a mode's verdict: process CPU time, user
// and system, per operation. docs/method.md says why not wall time.
const Primary = "cpu-sec/op"

// PeakRSS is the price that most modes pay for CPU: the most memory that the process
// had in RAM at one time.
const PeakRSS = "peak-RSS-bytes"

// metrics in the order in which they are shown. A metric that is not listed is
// a custom unit reported by the target; see Lookup.
var metrics = []Metric{
	{Name: Primary, Title: "CPU", Better: Lower, Judged: true, Paired: true},
	{Name: "sec/op", Title: "wall", Better: Lower, Judged: true, Paired: true},
	{Name: "p99-latency-sec", Title: "p99 latency", Better: Lower, Judged: true, Paired: true, Served: true},
	{Name: "p50-latency-sec", Title: "p50 latency", Better: Lower, Judged: true, Paired: true, Served: true},
	{Name: "p90-latency-sec", Title: "p90 latency", Better: Lower, Judged: true, Paired: true, Served: true},
	{Name: "p99.9-latency-sec", Title: "p99.9 latency", Better: Lower, Judged: true, Paired: true, Served: true},
	{Name: "requests/s", Title: "throughput", Better: Higher, Judged: true, Paired: true, Served: true},
	{Name: "error-fraction", Title: "errors", Better: Lower, Judged: true, Paired: true, Served: true},
	{Name: "answers", Title: "answers", Better: Higher, Judged: true, Paired: true, Served: true},
	{Name: "lifetime-sec", Title: "lifetime", Better: Higher, Judged: true, Paired: true, Served: true},
	{Name: "B/op", Title: "bytes/op", Better: Lower, Judged: true, Paired: true},
	{Name: "allocs/op", Title: "allocs/op", Better: Lower, Judged: true, Paired: true},
	{Name: PeakRSS, Title: "peak RSS", Better: Lower, Judged: true, Paired: true},
	{Name: "page-faults/op", Title: "page faults", Better: Lower, Paired: true},
	{Name: "gc-cycles/op", Title: "GC cycles", Better: Lower},
	{Name: "gc-cpu-fraction", Title: "GC CPU", Better: Lower},
	{Name: "worst-gc-cpu-fraction", Title: "peak GC CPU", Better: Lower, Served: true},
	{Name: "assist-cpu-fraction", Title: "mark assist", Better: Lower},
	{Name: "stw-p99-sec", Title: "pause p99", Better: Lower},
	{Name: "live-heap-bytes", Title: "live heap", Better: Neutral},
	{Name: "heap-goal-bytes", Title: "heap goal", Better: Neutral},
}

// Metrics returns the metrics that Heapwright itself measures, in the order in
// which they are shown.
func Metrics() []Metric { return append([]Metric(nil), metrics...) }

// Lookup returns the description of a metric by its name. A unit that the
// target reported itself (testing.B.ReportMetric) is judged like any other:
// rates, whose unit ends in "/s", are better higher, all else lower.
func Lookup(name string) Metric {
	for _, m := range metrics {
		if m.Name == name {
			return m
		}
	}
	m := Metric{Name: name, Title: name, Better: Lower, Judged: true, Paired: true}
	if strings.HasSuffix(name, "/s") {
		m.Better = Higher
	}
	return m
}
