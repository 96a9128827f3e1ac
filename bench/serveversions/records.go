package main

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/store"
)

// records counts the CPU profiles that serve kept. A comparison finds more in more of them, and
// a machine that does other work answers some requests too late.
type records struct {
	Processes, Profiles int

	// Fewest is the smallest number of profiles of a process, and Samples is the median of the
	// processes' numbers of samples.
	Fewest  int
	Samples float64
}

// look reads the store of serve.
func look(ctx context.Context, dir string) (r records, err error) {
	kept, err := store.Open(dir, store.Options{})
	if err != nil {
		return r, err
	}
	defer kept.Close()
	now := time.Now()
	all, err := kept.Select(ctx, store.Query{Service: "shop", Kind: store.CPU, From: now.Add(-24 * time.Hour), To: now})
	if err != nil {
		return r, err
	}
	profiles, samples := map[string]int{}, map[string]float64{}
	for _, e := range all {
		n, _ := e.Figure("samples")
		profiles[e.Labels["instance"]]++
		samples[e.Labels["instance"]] += float64(n)
	}
	r.Processes, r.Profiles, r.Fewest = len(profiles), len(all), len(all)
	var each []float64
	for process, n := range profiles {
		r.Fewest = min(r.Fewest, n)
		each = append(each, samples[process])
	}
	if len(each) > 0 {
		r.Samples = program.Median(each)
	}
	return r, nil
}
