// Package gctuneprom exports gctune's figures through Prometheus's client library.
// It is a module of its own, so that package gctune does not add the library to
// its users' go.mod. Programs that serve /metrics without the library can append the
// output of gctune.WritePrometheus instead.
package gctuneprom

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/heapwright/heapwright/gctune"
)

// NewCollector returns a collector of gctune's metrics, to be registered with a
// registry. Each scrape reads one snapshot.
func NewCollector() prometheus.Collector {
	c := collector{}
	for m := range gctune.Stats().Metrics() {
		c[m.Name] = prometheus.NewDesc(m.Name, m.Help, nil, nil)
	}
	return c
}

// collector holds the descriptions by name.
type collector map[string]*prometheus.Desc

func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c {
		to <- d
	}
}

func (c collector) Collect(to chan<- prometheus.Metric) {
	for m := range gctune.Stats().Metrics() {
		kind := prometheus.GaugeValue
		if m.Counter {
			kind = prometheus.CounterValue
		}
		to <- prometheus.MustNewConstMetric(c[m.Name], kind, m.Value)
	}
}
