package gctuneotel_test

import (
	"fmt"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/gctune/gctuneotel"
)

func ExampleRegister() {
	var provider metric.MeterProvider = noop.NewMeterProvider() // yours is otel.GetMeterProvider(), or the SDK's
	registration, err := gctuneotel.Register(provider.Meter("gctune"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer registration.Unregister()

	tuner, err := gctune.Start(gctune.Options{MinHeap: 64 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tuner.Stop()
	fmt.Println("the floor is", gctune.Stats().Floor>>20, "MiB")
	// Output: the floor is 64 MiB
}
