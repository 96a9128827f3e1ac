package serve

import (
	"cmp"
	"slices"
)

// Leak is a place at which goroutines pile up, in all processes of a service.
type Leak struct {
	Rank
	Goroutines float64
	PerMinute  float64 // how many more there are each minute, 0 if they do not grow
}

// leaks returns the findings about goroutines, the fastest growing first. One process
// stands for all of its service.
func leaks(ranking []Rank, usage map[string]Usage) (all []Leak) {
	for _, r := range ranking {
		if r.Finding.Rule != "goroutine-leak" {
			continue
		}
		l := Leak{Rank: r}
		processes := float64(max(1, usage[r.Service].Processes))
		for _, figure := range r.Finding.Evidence {
			switch figure.Name {
			case "goroutines":
				l.Goroutines = figure.Value * processes
			case "growth":
				l.PerMinute = figure.Value * processes
			}
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b Leak) int {
		return cmp.Or(cmp.Compare(b.PerMinute, a.PerMinute), cmp.Compare(b.Goroutines, a.Goroutines))
	})
	return all
}
