package arena

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// The registry knows the address ranges of all chunks, so that Clone and
// Promote can distinguish arena memory from the heap. It holds addresses, not
// pointers: it keeps no arena alive.
var registry = struct {
	sync.RWMutex
	granules map[uintptr][]ownedSpan // address / granule → chunks that touch it
}{granules: map[uintptr][]ownedSpan{}}

// granule trades entries per chunk against chunks per entry.
const granule = 64 << 10

type span struct{ lo, hi uintptr }

// An ownedSpan is a span and the ranges that it belongs to.
type ownedSpan struct {
	span
	owner *ranges
}

// ranges are the spans of one core.
type ranges struct {
	core  weak.Pointer[core]
	spans []span  // sorted by allocation: the last are dropped first
	few   [8]span // first memory of spans: enough for an arena that is used once
}

// newRanges returns the ranges of c, whose spans are removed when it is
// collected without having been freed.
func newRanges(c *core) *ranges {
	r := new(ranges)
	r.spans = r.few[:0]
	if !plainHeap {
		r.core = weak.Make(c)
		runtime.AddCleanup(c, (*ranges).removeAll, r)
	}
	return r
}

func (r *ranges) add(p unsafe.Pointer, size uintptr) {
	s := span{uintptr(p), uintptr(p) + size}
	registry.Lock()
	defer registry.Unlock()
	r.spans = append(r.spans, s)
	for g := s.lo / granule; g <= (s.hi-1)/granule; g++ {
		registry.granules[g] = append(registry.granules[g], ownedSpan{s, r})
	}
}

func (r *ranges) remove(p unsafe.Pointer) {
	registry.Lock()
	defer registry.Unlock()
	for i := len(r.spans) - 1; i >= 0; i-- {
		if s := r.spans[i]; s.lo == uintptr(p) {
			r.spans = slices.Delete(r.spans, i, i+1)
			ownedSpan{s, r}.unregister()
			return
		}
	}
}

func (r *ranges) removeAll() {
	registry.Lock()
	defer registry.Unlock()
	for _, s := range r.spans {
		ownedSpan{s, r}.unregister()
	}
}

// unregister needs the lock of the registry.
func (p ownedSpan) unregister() {
	for g := p.lo / granule; g <= (p.hi-1)/granule; g++ {
		in := registry.granules[g]
		i := slices.Index(in, p)
		if in = slices.Delete(in, i, i+1); len(in) == 0 {
			delete(registry.granules, g)
		} else {
			registry.granules[g] = in
		}
	}
}

// contains reports whether p points into the memory of an arena.
func contains(p unsafe.Pointer) bool {
	_, ok := find(uintptr(p))
	return ok
}

// find reports whether addr is in the memory of an arena, and returns a span around
// it with the same answer. Memory of a collected arena may be in use again before the
// cleanup has run; by then the weak pointer is nil.
func find(addr uintptr) (span, bool) {
	registry.RLock()
	defer registry.RUnlock()
	spans := registry.granules[addr/granule]
	for _, s := range spans {
		if s.lo <= addr && addr < s.hi && s.owner.core.Value() != nil {
			return s.span, true
		}
	}
	if len(spans) > 0 {
		return span{addr, addr + 1}, false
	}
	addr &^= granule - 1
	return span{addr, addr + granule}, false
}

// A finder caches the answers of find, for addresses that stay in use: meanwhile no
// heap memory becomes arena memory, nor the reverse.
type finder [64]struct {
	span
	arena bool
}

func (f *finder) contains(p unsafe.Pointer) bool {
	addr := uintptr(p)
	known := &f[addr/granule%uintptr(len(f))]
	if addr < known.lo || known.hi <= addr {
		known.span, known.arena = find(addr)
	}
	return known.arena
}
