package gctuneprom_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/gctune/gctuneprom"
)

func scrape() string {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(gctuneprom.NewCollector())
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func ExampleNewCollector() {
	tuner, err := gctune.Start(gctune.Options{MinHeap: 64 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tuner.Stop()
	for line := range strings.Lines(scrape()) {
		if strings.Contains(line, "gctune_heap_floor_bytes") {
			fmt.Print(line)
		}
	}
	// Output:
	// # HELP gctune_heap_floor_bytes Heap floor in force.
	// # TYPE gctune_heap_floor_bytes gauge
	// gctune_heap_floor_bytes 6.7108864e+07
}

// The library and the plain function say the same.
func TestSameAsWritePrometheus(t *testing.T) {
	var plain strings.Builder
	if err := gctune.WritePrometheus(&plain, gctune.Stats()); err != nil {
		t.Fatal(err)
	}
	got := scrape()
	for line := range strings.Lines(plain.String()) {
		if !strings.Contains(got, line) {
			t.Errorf("a scrape lacks %q", line)
		}
	}
}
