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
	"math"
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
	Metrics  map[string]float64 `json:"metrics"` // CPU seconds, by the name of the runtime
	Cycles   uint64             `json:"cycles"`
	Latency  map[string]float64 `json:"latency_s"` // of requests, measured by themselves
	Requests int                `json:"requests"`
	Schedule map[string]float64 `json:"sched_latencies_s"` // /sched/latencies
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
	"/cpu/classes/gc/mark/assist:cpu-seconds", "/cpu/classes/gc/mark/dedicated:cpu-seconds",
	"/cpu/classes/gc/mark/idle:cpu-seconds", "/cpu/classes/gc/pause:cpu-seconds",
	"/gc/cycles/total:gc-cycles", "/sched/latencies:seconds",
}

func read() []metrics.Sample {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	for i := range samples {
		if samples[i].Value.Kind() == metrics.KindFloat64Histogram { // the runtime reuses its memory
			h := samples[i].Value.Float64Histogram()
			counts[i] = append(counts[i], slices.Clone(h.Counts))
			buckets = h.Buckets
		}
	}
	return samples
}

var (
	counts  = map[int][][]uint64{}
	buckets []float64
)

func report(before, after []metrics.Sample, latencies []time.Duration) Report {
	r := Report{Metrics: map[string]float64{}, Latency: map[string]float64{}, Requests: len(latencies), Schedule: map[string]float64{}}
	for i, name := range names {
		switch after[i].Value.Kind() {
		case metrics.KindFloat64:
			r.Metrics[name] = after[i].Value.Float64() - before[i].Value.Float64()
		case metrics.KindUint64:
			r.Cycles = after[i].Value.Uint64() - before[i].Value.Uint64()
		case metrics.KindFloat64Histogram:
			for _, q := range []float64{0.5, 0.99, 0.999} {
				r.Schedule[fmt.Sprint(q)] = quantile(counts[i][0], counts[i][1], q)
			}
		}
	}
	slices.Sort(latencies)
	for _, q := range []float64{0.5, 0.99, 0.999, 1} {
		rank := int(math.Ceil(q*float64(len(latencies)))) - 1
		r.Latency[fmt.Sprint(q)] = latencies[rank].Seconds()
	}
	return r
}

// quantile returns the upper end of the bucket that holds a quantile of the values
// added to a histogram.
func quantile(before, after []uint64, q float64) float64 {
	var n uint64
	for i := range after {
		n += after[i] - before[i]
	}
	rank := uint64(math.Ceil(q * float64(n)))
	for i := range after {
		if d := after[i] - before[i]; rank <= d {
			return buckets[i+1]
		} else {
			rank -= d
		}
	}
	return 0
}
