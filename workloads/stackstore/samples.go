package main

import (
	"cmp"
	"fmt"
)

// maxDepth bounds the depth of a stack, because trees are walked recursively.
// Go's runtime cuts stacks at 128.
const maxDepth = 4096

// samples reads the samples of a profile one after the other.
type samples struct {
	rest   message
	frames frames
	stack  []symbol // the last sample's stack, the leaf first; valid until the next is read
	value  int64    // the sample's last value, which is the one that pprof shows
	read   int
	err    error

	ids, values []uint64
}

// next reads a sample, and returns false at the end or where the profile is
// damaged.
func (s *samples) next() bool {
	for s.err == nil && s.rest.next() {
		if s.rest.number == profileSample {
			s.err = s.sample(s.rest.bytes)
			return s.err == nil
		}
	}
	s.err = cmp.Or(s.err, s.rest.err)
	return false
}

func (s *samples) sample(data []byte) error {
	s.ids, s.values, s.stack, s.value = s.ids[:0], s.values[:0], s.stack[:0], 0
	m := message{rest: data}
	for m.next() {
		switch m.number {
		case sampleLocation:
			s.ids = m.numbers(s.ids)
		case sampleValue:
			s.values = m.numbers(s.values)
		}
	}
	for _, id := range s.ids {
		if id >= uint64(len(s.frames)) {
			return unknown("location", id)
		}
		s.stack = append(s.stack, s.frames[id]...)
	}
	if len(s.stack) > maxDepth {
		return fmt.Errorf("a stack of %d calls: at most %d are taken", len(s.stack), maxDepth)
	}
	if n := len(s.values); n > 0 {
		s.value = int64(s.values[n-1])
	}
	s.read++
	return m.err
}
