// Package contest measures decoders side by side: all of a work take turns in one
// process, in random order, and the process's CPU time, the collector's included, is
// divided by the number of inputs.
package contest

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// Work is an input that all contestants decode.
type Work struct {
	Name, About string
	Data        []byte
	Live        int // megabytes of pointers beside it
	Keeps       int // results that stay alive at a time
	Rounds      int // times as many as others, since its time depends on the scheduler or on page faults

	contestants []*contestant
}

// contestant decodes one work.
type contestant struct {
	name   string
	decode func(data []byte) error
	drop   func() // forgets the results that stay alive, where they do

	// One value per round. The times are seconds per input.
	cpus, allocs, marks, liveKB []float64
}

// Add adds a contestant. The first is the one that the others are compared with.
func (w *Work) Add(name string, decode func([]byte) error) *Work {
	return w.AddKeeping(name, decode, nil)
}

// AddKeeping adds a contestant whose results stay alive until drop is called.
func (w *Work) AddKeeping(name string, decode func([]byte) error, drop func()) *Work {
	w.contestants = append(w.contestants, &contestant{name: name, decode: decode, drop: drop})
	return w
}

// Options are the flags of a program that measures.
type Options struct {
	rounds     *int
	runTime    *time.Duration
	only, into *string
	seed       *uint64
}

// Flags defines the flags; what is the word for a work.
func Flags(what string, rounds int, runTime time.Duration) Options {
	return Options{
		rounds:  flag.Int("rounds", rounds, "run everything `N` times"),
		runTime: flag.Duration("run-time", runTime, "aim at `TIME` for each turn"),
		only:    flag.String(what, "", "measure only those that contain `TEXT`"),
		into:    flag.String("into", "", "replace the sections of the page `FILE`, and keep those that are not measured"),
		seed:    flag.Uint64("seed", 1, "choose the random order with seed `N`"),
	}
}

// Run measures the works and writes the page of a program.
func (o Options) Run(ctx context.Context, in string, p page.Page, works []*Work) error {
	for _, w := range works {
		if !strings.Contains(w.Name, *o.only) {
			continue
		}
		if err := w.Check(); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		fmt.Fprintln(os.Stderr, w.Name)
		if err := w.measure(ctx, *o.rounds*max(w.Rounds, 1), *o.runTime, *o.seed); err != nil {
			return err
		}
		p.Sections = append(p.Sections, page.Section{Title: w.Name, Text: w.table()})
	}
	if *o.into != "" {
		return p.Into(*o.into)
	}
	fmt.Print(p.String(in))
	return nil
}

func (w *Work) table() string {
	text := fmt.Sprintf("%s: %d bytes.\n\n", w.About, len(w.Data))
	columns := []string{"decoder", "CPU µs:", "relative:", "allocations:"}
	if w.Keeps > 0 {
		text += "*Live* is the heap that each kept message needs, its part of what an arena holds included. *Collection* is the CPU time\n" +
			"that each kept message adds to every collection, whoever causes it.\n\n"
		columns = append(columns, "live KB:", "collection µs:")
	}
	text += page.Columns(columns...)
	base := program.Median(w.contestants[0].cpus)
	for _, c := range w.contestants {
		cpu := program.Median(c.cpus)
		row := []any{c.name, fmt.Sprintf("%.4g", cpu*1e6), fmt.Sprintf("%.3f", cpu/base), fmt.Sprintf("%.4g", program.Median(c.allocs))}
		if w.Keeps > 0 {
			row = append(row, fmt.Sprintf("%.4g", program.Median(c.liveKB)), fmt.Sprintf("%.3g", program.Median(c.marks)*1e6))
		}
		text += page.Row(row...)
	}
	return text
}

// Check decodes once with each contestant.
func (w *Work) Check() error {
	for _, c := range w.contestants {
		if c.drop != nil {
			c.drop()
		}
		if err := c.decode(w.Data); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// measure fills in the figures of all contestants. Where much is alive a
// collection is long and rare, so turns are too.
func (w *Work) measure(ctx context.Context, rounds int, runTime time.Duration, seed uint64) error {
	shortest, longest := runTime, runTime
	if w.Live > 0 || w.Keeps > 0 {
		shortest, longest = 20*runTime, 60*runTime
	}
	keep := ballast(w.Live)
	order := slices.Clone(w.contestants)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds + 1 {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, c := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if w.Keeps > 0 {
				c.turnKept(w.Data, w.Keeps, shortest, longest)
			} else {
				c.turn(w.Data, shortest, longest)
			}
			if round == 0 { // it warms up
				c.cpus, c.allocs, c.marks, c.liveKB = nil, nil, nil, nil
			}
		}
	}
	keep()
	return nil
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
	start, began, n := ownCPU(), time.Now(), 0
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
	cpu := ownCPU() - start
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

// turnKept measures a turn with results that stay alive, then their memory and
// their part of one collection.
func (c *contestant) turnKept(data []byte, keeps int, shortest, longest time.Duration) {
	c.drop()
	free, without := afterCollection()
	for range keeps {
		c.mustDecode(data)
	}
	c.turn(data, shortest, longest)
	used, with := afterCollection()
	c.drop()
	c.liveKB = append(c.liveKB, float64(used-free)/1024/float64(keeps))
	c.marks = append(c.marks, (with-without).Seconds()/float64(keeps))
}

// afterCollection returns the live heap and the CPU time of one collection.
func afterCollection() (bytes int64, cpu time.Duration) {
	const n = 4
	runtime.GC() // finishes a collection under way
	start := ownCPU()
	for range n {
		runtime.GC()
	}
	cpu = (ownCPU() - start) / n
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), cpu
}

// ownCPU returns the CPU time of this process.
func ownCPU() time.Duration {
	cpu, err := program.OwnCPU()
	if err != nil {
		panic(err)
	}
	return cpu
}
