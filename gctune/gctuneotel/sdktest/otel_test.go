// Package sdktest reads gctuneotel's instruments as OpenTelemetry's SDK does.
//
// It is a module of its own because the SDK would be summed in the go.sum of
// everybody who imports gctuneotel.
package sdktest

import (
	"context"
	"fmt"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/gctune/gctuneotel"
)

func collect(reader sdk.Reader) (map[string]metricdata.Metrics, error) {
	var data metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &data); err != nil {
		return nil, err
	}
	all := map[string]metricdata.Metrics{}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			all[m.Name] = m
		}
	}
	return all, nil
}

func Example() {
	reader := sdk.NewManualReader() // yours exports
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	if _, err := gctuneotel.Register(provider.Meter("gctune")); err != nil {
		fmt.Println(err)
		return
	}
	tuner, err := gctune.Start(gctune.Options{MinHeap: 64 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tuner.Stop()

	all, err := collect(reader)
	floor := all["gctune.heap_floor"]
	fmt.Println(floor.Data.(metricdata.Gauge[float64]).DataPoints[0].Value, floor.Unit, err)
	// Output: 6.7108864e+07 By <nil>
}

func TestEveryMetricIsObservedUntilUnregistered(t *testing.T) {
	reader := sdk.NewManualReader()
	registration, err := gctuneotel.Register(sdk.NewMeterProvider(sdk.WithReader(reader)).Meter("gctune"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := collect(reader)
	if err != nil {
		t.Fatal(err)
	}
	want, counters := 0, 0
	for m := range gctune.Stats().Metrics() {
		want++
		if m.Counter {
			counters++
		}
	}
	for name, m := range all {
		if sum, ok := m.Data.(metricdata.Sum[float64]); ok {
			counters--
			if !sum.IsMonotonic {
				t.Errorf("%s can fall", name)
			}
		}
	}
	if len(all) != want || counters != 0 {
		t.Errorf("%d metrics of %d, %d counters too few", len(all), want, counters)
	}
	if err := registration.Unregister(); err != nil {
		t.Fatal(err)
	}
	if all, err = collect(reader); err != nil || len(all) != 0 {
		t.Errorf("%d metrics after Unregister, %v", len(all), err)
	}
}
