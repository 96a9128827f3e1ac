package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"syscall"
	"time"
)

// A contestant decodes one message.
type contestant struct {
	name   string
	decode func(data []byte) error
	drop   func() // forgets the messages that stay alive, where they do

	// One value per round. The times are seconds per message.
	cpus, allocs, marks, liveKB []float64
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Errorf("getrusage: %w", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// check decodes once with each contestant.
func (s *shape) check() error {
	for _, c := range s.contestants {
		if c.drop != nil {
			c.drop()
		}
		if err := c.decode(s.data); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// measure fills in the figures of all contestants. Where much is alive a
// collection is long and rare, so turns are too.
func (s *shape) measure(rounds int, runTime time.Duration, seed uint64) {
	shortest, longest := runTime, runTime
	if s.live > 0 || s.kept {
		shortest, longest = 20*runTime, 60*runTime
	}
	keep := ballast(s.live)
	order := slices.Clone(s.contestants)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds + 1 {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, c := range order {
			turn := c.turn
			if s.kept {
				turn = c.turnKept
			}
			turn(s.data, shortest, longest)
			if round == 0 { // it warms up
				c.cpus, c.allocs, c.marks, c.liveKB = nil, nil, nil, nil
			}
		}
	}
	keep()
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// turn decodes for a time. If collections ran, it lasts to the end of one, so
// that it pays for whole ones, but no longer than the longest.
func (c *contestant) turn(data []byte, shortest, longest time.Duration) {
	runtime.GC()
	for range 3 { // the turns of the others have emptied the pools; the second decoding joins chunks
		c.mustDecode(data)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, began, n := cpuTime(), time.Now(), 0
	decode := func(batch int) time.Duration {
		for range batch {
			c.mustDecode(data)
		}
		n += batch
		return time.Since(began)
	}
	for batch := 1; ; {
		took := decode(batch)
		if took >= shortest {
			break
		}
		if took < shortest/16 {
			batch = min(2*batch, 1024)
		}
	}
	for done := collections(); decode(1) < longest && collections() == done; {
	}
	cpu := cpuTime() - start
	runtime.ReadMemStats(&after)
	c.cpus = append(c.cpus, cpu.Seconds()/float64(n))
	c.allocs = append(c.allocs, float64(after.Mallocs-before.Mallocs)/float64(n))
}

func (c *contestant) mustDecode(data []byte) {
	if err := c.decode(data); err != nil {
		panic(err) // it was checked before
	}
}

var cycles = []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}

// collections returns the number of collections that have ended. It allocates
// nothing.
func collections() uint64 {
	metrics.Read(cycles)
	return cycles[0].Value.Uint64()
}

// ballast allocates megabytes of pointers and returns the value that keeps them.
func ballast(megabytes int) func() {
	type node struct{ next, other *node }
	var list *node
	for range megabytes << 20 / 16 {
		list = &node{next: list, other: list}
	}
	return func() { runtime.KeepAlive(list) }
}
