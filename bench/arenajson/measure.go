package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// A contestant decodes a document.
type contestant struct {
	name   string
	decode func(data []byte) error
	cpus   []float64 // seconds per document, one for each round
	allocs float64
}

// check decodes once with each contestant.
func (d *document) check() error {
	for _, c := range d.contestants {
		if err := c.decode(d.data); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// measure fills in the figures of all contestants. The first round warms up.
func (d *document) measure(rounds int, runTime time.Duration, seed uint64) {
	order := slices.Clone(d.contestants)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds + 1 {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, c := range order {
			if cpu := c.turn(d.data, runTime); round > 0 {
				c.cpus = append(c.cpus, cpu)
			}
		}
	}
}

// turn decodes for a time and returns the CPU seconds per document. The collection
// before it empties pools, so that they are filled again first.
func (c *contestant) turn(data []byte, runTime time.Duration) float64 {
	runtime.GC()
	if err := c.decode(data); err != nil {
		panic(err) // it was checked before
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, began, n := cpuTime(), time.Now(), 0
	for batch := 1; time.Since(began) < runTime; batch = min(2*batch, 256) {
		for range batch {
			if err := c.decode(data); err != nil {
				panic(err) // it was checked before
			}
		}
		n += batch
		if time.Since(began) > runTime/8 {
			batch = max(batch/4, 1)
		}
	}
	cpu := cpuTime() - start
	runtime.ReadMemStats(&after)
	c.allocs = float64(after.Mallocs-before.Mallocs) / float64(n)
	return cpu.Seconds() / float64(n)
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Errorf("getrusage: %w", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
