package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"
)

const (
	stacks = 25_000 // of each profile, all distinct
	hot    = 120    // functions in which two thirds of the stacks end
	goroot = "/usr/local/go/src/"
)

// profiles returns a heap and a CPU profile of the service as if it had run for
// some minutes. The functions that are hot in one are hot in the other, too.
func (s *service) profiles() (heap, cpu *builder) {
	busy := s.rng.Perm(len(s.functions))[:hot]
	some := func() *function {
		if s.rng.IntN(3) > 0 {
			return s.functions[busy[s.rng.IntN(hot)]]
		}
		return s.functions[s.rng.IntN(len(s.functions))]
	}
	heap = newBuilder("space/bytes", 512<<10, "alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes")
	for len(heap.Sample) < stacks {
		f := some()
		size, n, live := int64(16<<s.rng.IntN(9)), 1+s.rng.Int64N(4000), int64(0)
		if s.rng.IntN(4) == 0 {
			live = s.rng.Int64N(n) / 8
		}
		heap.add(append(s.library(f), s.path(f)...), n, n*size, live, live*size)
	}
	const tick = int64(10 * time.Millisecond)
	cpu = newBuilder("cpu/nanoseconds", tick, "samples/count", "cpu/nanoseconds")
	for len(cpu.Sample) < stacks-len(marking) {
		f, n := some(), 1+s.rng.Int64N(3)
		cpu.add(append(s.leaf(f), s.path(f)...), n, n*tick)
	}
	for _, leaf := range marking {
		cpu.add(append(inRuntime(leaf), inRuntime("runtime.gcDrain", "runtime.gcBgMarkWorker.func2", "runtime.systemstack", "runtime.gcBgMarkWorker", "runtime.goexit")...),
			stacks/10, stacks/10*tick)
	}
	cpu.DurationNanos = int64(5 * time.Minute)
	return heap, cpu
}

// allocating lists the runtime functions in which allocations are sampled,
// marking those in which background workers are.
var (
	allocating = []string{"runtime.nextFreeFast", "runtime.memclrNoHeapPointers", "runtime.(*mcache).nextFree", "runtime.heapSetTypeNoHeader",
		"runtime.(*mspan).init", "runtime.(*mspan).nextFreeIndex", "runtime.(*mcentral).cacheSpan", "runtime.publicationBarrier"}
	marking = []string{"runtime.scanObject", "runtime.greyobject", "runtime.findObject", "runtime.markBits.isMarked", "runtime.scanblock"}
)

// place is a frame of a stack.
type place struct {
	symbol, file string
	line         int64
}

// leaf returns the frames of a CPU sample below the function's line: half of the
// samples allocate, one in ten copies, the others are in the line itself.
func (s *service) leaf(f *function) []place {
	switch n := s.rng.IntN(10); {
	case n < 5:
		return append(inRuntime(allocating[s.rng.IntN(len(allocating))], "runtime.mallocgc", f.fault.runtime), s.library(f)...)
	case n == 5:
		return append(inRuntime("runtime.memmove", f.fault.runtime), s.library(f)...)
	}
	return nil
}

func inRuntime(functions ...string) (all []place) {
	for _, f := range functions {
		all = append(all, place{f, goroot + "runtime/malloc.go", 1000})
	}
	return all
}

func (s *service) library(f *function) (all []place) {
	for _, l := range f.fault.through {
		all = append(all, place{l.function, goroot + l.file, l.line})
	}
	return all
}

// path is a way from the function's line out to the start of the program.
func (s *service) path(f *function) []place {
	all := []place{{f.symbol(), filepath.Join(s.dir, f.path()), f.line}}
	for {
		c := f.from[s.rng.IntN(len(f.from))]
		if f = c.from; f == nil {
			return append(all, place{"main.main", filepath.Join(s.dir, "main.go"), c.line},
				place{"runtime.main", goroot + "runtime/proc.go", 285}, place{"runtime.goexit", goroot + "runtime/asm_amd64.s", 1693})
		}
		all = append(all, place{f.symbol(), filepath.Join(s.dir, f.path()), c.line})
	}
}

// builder makes a profile of distinct stacks.
type builder struct {
	*pprof.Profile
	functions map[string]*pprof.Function
	locations map[place]*pprof.Location
	seen      map[string]bool
}

func newBuilder(period string, every int64, columns ...string) *builder {
	b := &builder{&pprof.Profile{Period: every, TimeNanos: time.Now().UnixNano()}, map[string]*pprof.Function{}, map[place]*pprof.Location{}, map[string]bool{}}
	b.PeriodType = valueType(period)
	for _, c := range columns {
		b.SampleType = append(b.SampleType, valueType(c))
	}
	b.Mapping = []*pprof.Mapping{{ID: 1, Start: 0x400000, Limit: 0x40000000, File: "/srv/service",
		HasFunctions: true, HasFilenames: true, HasLineNumbers: true, HasInlineFrames: true}}
	return b
}

func valueType(s string) *pprof.ValueType {
	kind, unit, _ := strings.Cut(s, "/")
	return &pprof.ValueType{Type: kind, Unit: unit}
}

// add adds a stack, the leaf first, unless it is there.
func (b *builder) add(stack []place, values ...int64) {
	s, key := &pprof.Sample{Value: values}, []byte(nil)
	for _, p := range stack {
		l := b.location(p)
		s.Location, key = append(s.Location, l), binary.AppendUvarint(key, l.ID)
	}
	if !b.seen[string(key)] {
		b.seen[string(key)] = true
		b.Sample = append(b.Sample, s)
	}
}

func (b *builder) location(p place) *pprof.Location {
	if l := b.locations[p]; l != nil {
		return l
	}
	f := b.functions[p.symbol]
	if f == nil {
		f = &pprof.Function{ID: uint64(len(b.Function) + 1), Name: p.symbol, SystemName: p.symbol, Filename: p.file}
		b.functions[p.symbol], b.Function = f, append(b.Function, f)
	}
	id := uint64(len(b.Location) + 1)
	l := &pprof.Location{ID: id, Mapping: b.Mapping[0], Address: 0x400000 + 16*id, Line: []pprof.Line{{Function: f, Line: p.line}}}
	b.locations[p], b.Location = l, append(b.Location, l)
	return l
}

// write writes the profile and says how large it is.
func (b *builder) write(name string) error {
	if err := b.CheckValid(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var raw, file bytes.Buffer
	if err := b.WriteUncompressed(&raw); err != nil {
		return err
	}
	if err := b.Write(&file); err != nil {
		return err
	}
	fmt.Printf("%s: %d stacks, %.2f MB raw\n", filepath.Base(name), len(b.Sample), float64(raw.Len())/1e6)
	return os.WriteFile(name, file.Bytes(), 0o644)
}
