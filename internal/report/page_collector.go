package report

import "github.com/heapwright/heapwright/internal/termtext"

// collector holds the figures of the untimed runs on the garbage collector.
type collector struct {
	Open    bool // short enough to be shown at once
	Metrics []string
	Groups  []collectorGroup
}

type collectorGroup struct {
	Benchmark string
	Rows      []collectorRow
}

type collectorRow struct {
	Mode   string
	Values []string
}

func (g *grid) collector(section *section) *collector {
	metrics := g.probeMetrics()
	c := &collector{}
	for _, m := range metrics {
		c.Metrics = append(c.Metrics, m.Title)
	}
	for _, key := range g.benchmarks {
		group := collectorGroup{Benchmark: termtext.Harmless(key.String())}
		for _, mode := range g.untimed[key] {
			if !g.hasProbes(key, mode) || section.full() {
				continue
			}
			row := collectorRow{Mode: termtext.Harmless(mode)}
			for _, m := range metrics {
				row.Values = append(row.Values, g.probe(key, mode, m.Name))
			}
			group.Rows = append(group.Rows, row)
		}
		if group.Rows != nil {
			c.Groups = append(c.Groups, group)
		}
	}
	if c.Groups == nil {
		return nil
	}
	c.Open = len(c.Groups)*len(g.series) <= 50
	return c
}
