package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/termtext"
)

// probeMetrics are the metrics of untimed runs, in order; of servers alone only
// where they did.
func (g *grid) probeMetrics() []sample.Metric {
	measured := map[string]bool{}
	for c := range g.probed {
		measured[c.Metric] = true
	}
	return slices.DeleteFunc(sample.Metrics(), func(m sample.Metric) bool {
		return m.Paired || m.Served && !measured[m.Name]
	})
}

// probe returns the figure of a cell's untimed runs for a metric, formatted:
// the median of the runs, or a dash if there is none.
func (g *grid) probe(key sample.Key, mode, metric string) string {
	return format.Metric(metric, stats.Median(g.probed[cell{key, mode, metric}]))
}

// hasProbes reports whether an untimed run measured the benchmark.
func (g *grid) hasProbes(key sample.Key, mode string) bool {
	return slices.ContainsFunc(sample.Metrics(), func(m sample.Metric) bool {
		return len(g.probed[cell{key, mode, m.Name}]) > 0
	})
}

// probes writes the collector's figures of each benchmark and mode.
func (t *text) probes() {
	if len(t.Untimed) == 0 {
		return
	}
	metrics := t.probeMetrics()
	gap := 1
	if t.Width() >= 100 {
		gap = 3
	}
	// The mode's name gets the columns that the metrics leave. On a narrow terminal the last
	// metrics have to go.
	first := t.Width()
	columns := make([]int, len(metrics))
	for i, m := range metrics {
		columns[i] = gap + max(len(m.Title), len("1023 MiB"))
		first -= columns[i]
	}
	const leastName = 16 // columns that a mode's name needs; the page has all metrics
	for first < leastName && len(metrics) > 1 {
		last := len(metrics) - 1
		first += columns[last]
		metrics, columns = metrics[:last], columns[:last]
	}
	first = min(first, 36)
	head := termtext.Fit("untimed runs", first)
	for i, m := range metrics {
		head += termtext.FitRight(m.Title, columns[i])
	}
	t.line("%s", t.Paint(termtext.Dim, head))
	for _, key := range t.benchmarks {
		named := false
		for _, mode := range t.untimed[key] {
			if !t.hasProbes(key, mode) {
				continue
			}
			if !named {
				t.line("%s", strings.TrimRight(termtext.Fit(key.String(), t.Width()), " "))
				named = true
			}
			line := termtext.Fit("  "+mode, first)
			for i, m := range metrics {
				line += termtext.FitRight(t.probe(key, mode, m.Name), columns[i])
			}
			t.line("%s", line)
		}
	}
	t.line("")
}

// missing lists the metrics that this system does not measure, and why.
func (g *grid) missing() []string {
	var all []string
	for _, metric := range slices.Sorted(maps.Keys(g.Missing)) {
		all = append(all, fmt.Sprintf("not measured: %s, %s", termtext.Harmless(title(metric)),
			termtext.Harmless(g.Missing[metric])))
	}
	return all
}
