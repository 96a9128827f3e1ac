package arena

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// The registry knows the address ranges of all chunks, so that Clone and
// Promote can tell arena memory from the heap. It holds addresses, not
// pointers: it keeps no arena alive.
var registry = struct {
	sync.RWMutex
	granules map[uintptr][]span // address / granule → chunks that touch it
}{granules: map[uintptr][]span{}}

// granule trades entries per chunk against chunks per entry.
const granule = 64 << 10

type span struct{ lo, hi uintptr }

// ranges are the spans of one core.
type ranges struct {
	spans []span  // those made last are dropped first
	few   [8]span // where spans begins: an arena that is used once has no more
}

func newRanges() *ranges {
	r := new(ranges)
	r.spans = r.few[:0]
	return r
}

// watch removes the spans when the core is collected without having been freed.
func (r *ranges) watch(c *core) {
	if !plainHeap {
		runtime.AddCleanup(c, (*ranges).removeAll, r)
	}
}

func (r *ranges) add(p unsafe.Pointer, size uintptr) {
	s := span{uintptr(p), uintptr(p) + size}
	registry.Lock()
	defer registry.Unlock()
	r.spans = append(r.spans, s)
	for g := s.lo / granule; g <= (s.hi-1)/granule; g++ {
		registry.granules[g] = append(registry.granules[g], s)
	}
}

func (r *ranges) remove(p unsafe.Pointer) {
	registry.Lock()
	defer registry.Unlock()
	for i := len(r.spans) - 1; i >= 0; i-- {
		if s := r.spans[i]; s.lo == uintptr(p) {
			r.spans = slices.Delete(r.spans, i, i+1)
			s.unregister()
			return
		}
	}
}

func (r *ranges) removeAll() {
	registry.Lock()
	defer registry.Unlock()
	for _, s := range r.spans {
		s.unregister()
	}
}

// unregister needs the lock of the registry. It removes one span only: memory
// that was collected may be in use again before the cleanup has run.
func (s span) unregister() {
	for g := s.lo / granule; g <= (s.hi-1)/granule; g++ {
		in := registry.granules[g]
		i := slices.Index(in, s)
		if in = slices.Delete(in, i, i+1); len(in) == 0 {
			delete(registry.granules, g)
		} else {
			registry.granules[g] = in
		}
	}
}

// contains reports whether p points into the memory of an arena.
func contains(p unsafe.Pointer) bool {
	addr := uintptr(p)
	registry.RLock()
	defer registry.RUnlock()
	for _, s := range registry.granules[addr/granule] {
		if s.lo <= addr && addr < s.hi {
			return true
		}
	}
	return false
}
