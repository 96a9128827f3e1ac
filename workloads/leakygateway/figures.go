package main

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

// measure returns the figures by which a gateway is judged, one on each line. It sorts
// latencies.
func measure(latencies []time.Duration) string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	slices.Sort(latencies)
	const mib = 1 << 20
	return fmt.Sprintf("Alloc\t %.1f MiB\nTotalAlloc\t %.1f MiB\nSys\t %.1f MiB\nGC pause p99\t %v\nlatency p99\t %v\n",
		float64(m.Alloc)/mib, float64(m.TotalAlloc)/mib, float64(m.Sys)/mib, pauseP99(), latencies[(len(latencies)*99-1)/100])
}

// pauseP99 returns the 99th percentile of the GC pauses, rounded up to a bucket of the
// runtime's histogram.
func pauseP99() time.Duration {
	pauses := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(pauses)
	h := pauses[0].Value.Float64Histogram()
	var all uint64
	for _, n := range h.Counts {
		all += n
	}
	rest := all / 100 // the number of pauses that may be longer
	for i := len(h.Counts) - 1; i >= 0; i-- {
		if h.Counts[i] > rest {
			edge := h.Buckets[i+1]
			if math.IsInf(edge, 1) {
				edge = h.Buckets[i]
			}
			return time.Duration(edge * float64(time.Second))
		}
		rest -= h.Counts[i]
	}
	return 0
}
