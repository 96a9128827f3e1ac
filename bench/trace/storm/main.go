// Storm is a program with a planted assist storm, and its cured twin. It handles
// requests at a steady rate, each in a goroutine of its own, beside a live heap of
// small linked objects. The storm decodes each request into new objects, at the
// line marked "assists"; the twin decodes into objects that earlier requests left.
//
// It traces itself and prints the runtime's own metrics, and its own clock, of the same
// time.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/trace"
	"slices"
	"sync"
	"time"
)

// Report holds the program's own figures of the time that was traced.
type Report struct {
	Metrics map[string]float64 `json:"metrics"`   // CPU seconds, by the name of the runtime
	Longest float64            `json:"longest_s"` // request, measured by itself
}

func main() {
	twin := flag.String("twin", "storm", "storm or cured")
	out := flag.String("o", "storm.trace", "write the trace to `FILE`")
	duration := flag.Duration("duration", 5*time.Second, "trace for this long")
	live := flag.Int("live", 1<<21, "objects of the live heap")
	rate := flag.Int("rate", 400, "requests a second")
	flag.Parse()
	handle := fresh
	if *twin == "cured" {
		handle = kept
	}
	if err := run(handle, *out, *duration, *live, *rate); err != nil {
		fmt.Fprintln(os.Stderr, "storm:", err)
		os.Exit(1)
	}
}

func run(handle func(int) int, out string, duration time.Duration, live, rate int) error {
	keep := list(live)
	defer runtime.KeepAlive(keep)
	for i := range 100 { // so that the heap goal is settled
		handle(i)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := trace.Start(f); err != nil {
		return err
	}
	before := read()
	latencies := serve(handle, duration, rate)
	after := read()
	trace.Stop()
	if err := f.Close(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report(before, after, latencies))
}

// serve handles requests at a steady rate, however long each takes, and returns
// the time from when each was due to its end.
func serve(handle func(int) int, duration time.Duration, rate int) []time.Duration {
	latencies := make([]time.Duration, int(duration.Seconds()*float64(rate)))
	var all sync.WaitGroup
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	for i := range latencies {
		<-tick.C
		all.Add(1)
		began := time.Now()
		go request(handle, i, began, &latencies[i], &all)
	}
	all.Wait()
	return latencies
}

func request(handle func(int) int, i int, began time.Time, took *time.Duration, all *sync.WaitGroup) {
	sink.Store(int64(handle(i)))
	*took = time.Since(began)
	all.Done()
}

// names are the runtime's figures that are compared.
var names = []string{
	"/cpu/classes/gc/mark/assist:cpu-seconds", "/cpu/classes/gc/mark/dedicated:cpu-seconds", "/cpu/classes/gc/mark/idle:cpu-seconds",
}

func read() map[string]float64 {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	values := map[string]float64{}
	for _, s := range samples {
		values[s.Name] = s.Value.Float64()
	}
	return values
}

func report(before, after map[string]float64, latencies []time.Duration) Report {
	for name, value := range before {
		after[name] -= value
	}
	return Report{after, slices.Max(latencies).Seconds()}
}
