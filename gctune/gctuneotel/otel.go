// Package gctuneotel exports gctune's figures through OpenTelemetry. It is a module of
// its own, so that package gctune does not add OpenTelemetry to its users'
// go.mod.
package gctuneotel

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/metric"

	"github.com/heapwright/heapwright/gctune"
)

// Register makes an observable instrument of meter for each of gctune's
// metrics. At every collection all of them are observed from one snapshot;
// before gctune.Start and after Stop its state is stopped. Unregister
// ends that.
//
// Names and units are OpenTelemetry's: gctune_heap_goal_bytes is
// gctune.heap_goal in By, and an exporter to Prometheus writes it as
// gctune_heap_goal_bytes again.
func Register(meter metric.Meter) (metric.Registration, error) {
	var all []metric.Observable
	var each []metric.Float64Observable
	for m := range gctune.Stats().Metrics() {
		name, unit := translate(m.Name)
		i, err := instrument(meter, m.Counter, name, unit, m.Help)
		if err != nil {
			return nil, fmt.Errorf("gctune: instrument %s: %w", name, err)
		}
		all, each = append(all, i), append(each, i)
	}
	return meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		i := 0
		for m := range gctune.Stats().Metrics() { // always the same ones
			o.ObserveFloat64(each[i], m.Value)
			i++
		}
		return nil
	}, all...)
}

func instrument(meter metric.Meter, counter bool, name, unit, help string) (metric.Float64Observable, error) {
	if counter {
		return meter.Float64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(help))
	}
	return meter.Float64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(help))
}

// units are UCUM's for the suffixes that Prometheus writes. A counter's is none
// of them.
var units = map[string]string{"bytes": "By", "percent": "%", "ratio": "1", "total": "{event}"}

func translate(name string) (dotted, unit string) {
	dotted = strings.Replace(name, "_", ".", 1)
	if at := strings.LastIndexByte(dotted, '_'); at >= 0 && units[dotted[at+1:]] != "" {
		return dotted[:at], units[dotted[at+1:]]
	}
	return dotted, ""
}
