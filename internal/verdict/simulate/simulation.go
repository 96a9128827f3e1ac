package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
)

type simulation struct {
	n     int
	seed  uint64
	lines string // only these; "" is all
}

// wants reports whether a line of a table was asked for.
func (s simulation) wants(table, name string) bool {
	return strings.Contains(table+": "+name, s.lines)
}

// each calls f n times on all cores, each time with its own random source, and returns the
// results in the order of the calls.
func each[T any](n int, seed uint64, f func(r *rand.Rand) T) []T {
	out := make([]T, n)
	var work sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for c := range cores {
		work.Go(func() {
			for i := c; i < n; i += cores {
				out[i] = f(rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	work.Wait()
	return out
}

func share(yes []bool) float64 {
	n := 0
	for _, y := range yes {
		if y {
			n++
		}
	}
	return float64(n) / float64(len(yes))
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
