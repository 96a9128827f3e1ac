package arena

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// The registry knows the address ranges of all chunks, so that Clone and
// Promote can tell arena memory from the heap. It holds addresses, not
// pointers: it keeps no arena alive.
var registry = struct {
	sync.RWMutex
	granules map[uintptr][]place // address / granule → chunks that touch it
}{granules: map[uintptr][]place{}}

// granule trades entries per chunk against chunks per entry.
const granule = 64 << 10

type span struct{ lo, hi uintptr }

// place is a span and whose it is.
type place struct {
	span
	of *ranges
}

// ranges are the spans of one core.
type ranges struct {
	core  weak.Pointer[core]
	spans []span  // those made last are dropped first
	few   [8]span // where spans begins: an arena that is used once has no more
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
		registry.granules[g] = append(registry.granules[g], place{s, r})
	}
}

func (r *ranges) remove(p unsafe.Pointer) {
	registry.Lock()
	defer registry.Unlock()
	for i := len(r.spans) - 1; i >= 0; i-- {
		if s := r.spans[i]; s.lo == uintptr(p) {
			r.spans = slices.Delete(r.spans, i, i+1)
			place{s, r}.unregister()
			return
		}
	}
}

func (r *ranges) removeAll() {
	registry.Lock()
	defer registry.Unlock()
	for _, s := range r.spans {
		place{s, r}.unregister()
	}
}

// unregister needs the lock of the registry.
func (p place) unregister() {
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

// contains reports whether p points into the memory of an arena. That of one
// that was collected may be in use again before the cleanup has run; the weak
// pointer is nil by then.
func contains(p unsafe.Pointer) bool {
	addr := uintptr(p)
	registry.RLock()
	defer registry.RUnlock()
	for _, s := range registry.granules[addr/granule] {
		if s.lo <= addr && addr < s.hi && s.of.core.Value() != nil {
			return true
		}
	}
	return false
}
