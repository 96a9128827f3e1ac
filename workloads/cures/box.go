package cures

import "github.com/heapwright/heapwright/workloads/program/cure"

// events hands numbers to sinks. The faulty one by way of an interface, which
// puts each on the heap; the cured one by their type.
type events struct {
	sum  uint64
	last any
}

func (e *events) emit(n int) {
	for i := range n {
		v := uint64(i)*0x9e3779b97f4a7c15 + 1000
		for j := range 6 {
			e.sum ^= v << j
		}
		if cure.Cured {
			e.take(v)
			continue
		}
		e.takeAny(faultyBox(v))
	}
}

//go:noinline
func (e *events) take(v uint64) { e.sum += v }

//go:noinline
func (e *events) takeAny(v any) {
	e.sum += v.(uint64)
	e.last = v
}

func faultyBox(v uint64) any { return v }
