package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
)

// symbol stands for the name of a function.
type symbol uint32

// store keeps the stacks of each service. It is not safe for concurrent use.
type store struct {
	services map[string]*node
	symbols  map[string]symbol
	names    []string // symbol → name
	profiles int
	samples  int
}

func newStore() *store {
	return &store{services: map[string]*node{}, symbols: map[string]symbol{}}
}

// Ingest adds a profile, uncompressed pprof, to the stacks of a service. It
// does not retain data. A damaged profile leaves the service as it was.
func (s *store) Ingest(service string, data []byte) error {
	t := tree{mem: newMemory()}
	defer t.mem.free()
	frames, err := s.symbolize(data)
	if err != nil {
		return fmt.Errorf("profile of %s: %w", service, err)
	}
	samples := samples{rest: message{rest: data}, frames: frames}
	for samples.next() {
		t.insert(samples.stack, samples.value)
	}
	if samples.err != nil {
		return fmt.Errorf("profile of %s: %w", service, samples.err)
	}
	kept := s.services[service]
	if kept == nil {
		kept = new(node)
		s.services[service] = kept
	}
	kept.add(&t.root)
	s.profiles++
	s.samples += samples.read
	return nil
}

// symbol returns the symbol of a name.
func (s *store) symbol(name []byte) symbol {
	id, ok := s.symbols[string(name)]
	if !ok {
		id = symbol(len(s.names))
		s.names = append(s.names, string(name))
		s.symbols[s.names[id]] = id
	}
	return id
}

// print writes a summary: for each service the number of calls and the function
// with the largest value of its own, and a check value of the whole store.
func (s *store) print(w io.Writer) error {
	check := fnv.New64a()
	calls := 0
	for _, service := range slices.Sorted(maps.Keys(s.services)) {
		sum := summary{names: s.names, check: check, self: map[symbol]int64{}}
		sum.visit(s.services[service], 0)
		calls += sum.calls
		hottest, value, total := sum.hottest()
		if _, err := fmt.Fprintf(w, "%s\t %d calls\t %4.1f%% in %s\n",
			service, sum.calls, 100*float64(value)/float64(max(total, 1)), hottest); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d profiles\t %d samples in %s\t %d calls kept\t check: %016x\n",
		s.profiles, s.samples, where, calls, check.Sum64())
	return err
}
