//go:build arenadebug

package arena

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

const reuse = false

// quarantine keeps freed memory, filled with poison, so that a late write changes
// memory that nothing else uses, and is found.
var quarantine struct {
	sync.Mutex
	regions []region // oldest first
	bytes   uintptr
	next    int     // the region where the next check continues
	at      uintptr // and the offset in it
}

// A region is freed memory: values that must all equal the poison.
type region struct {
	base  unsafe.Pointer
	size  uintptr
	elem  *elem
	trace trace
	freed []uintptr
}

const (
	quarantineBytes = 16 << 20 // beyond it, the oldest regions are dropped
	maxRegions      = 512      // likewise, because checkAll visits all of them
	checkBytes      = 8 << 10  // checked at each allocation, in less than a microsecond
)

// markFreed poisons n freed bytes at p. They are zero, or hold no pointers.
func markFreed(s *slab, p unsafe.Pointer, n uintptr) {
	poisonAll(s.elem, p, n)
	q := &quarantine
	q.Lock()
	defer q.Unlock()
	q.regions = append(q.regions, region{base: p, size: n, elem: s.elem, trace: s.core.trace, freed: callers()})
	q.bytes += n
	for q.bytes > quarantineBytes && len(q.regions) > 1 || len(q.regions) > maxRegions {
		forget(0)
	}
}

// forget drops region i.
func forget(i int) {
	q := &quarantine
	q.bytes -= q.regions[i].size
	q.regions = slices.Delete(q.regions, i, i+1)
	switch {
	case q.next > i:
		q.next--
	case q.next == i:
		q.at = 0
	}
}

// checkQuarantine panics if freed memory was written. Each call looks at the
// next part of the quarantine, and so at all of it if it is small.
func checkQuarantine() { checkSome(checkBytes) }

// checkAll panics if any memory of the quarantine was written. It takes about
// a millisecond if that is full, which a round may cost in this build.
func checkAll() { checkSome(^uintptr(0)) }

func checkSome(budget uintptr) {
	if r, at, bad := findWritten(budget); bad {
		panic(fmt.Sprintf("arena: a freed %v was written, at offset %d of it%s\nthe memory was freed at\n%s",
			r.elem.typ, at%r.elem.size, r.trace, stack(r.freed)))
	}
}

// findWritten finds a region that was written, forgets it, and returns it with the
// offset of the write.
func findWritten(budget uintptr) (region, uintptr, bool) {
	q := &quarantine
	q.Lock()
	defer q.Unlock()
	budget = min(budget, q.bytes)
	for done := uintptr(0); done < budget && len(q.regions) > 0; {
		if q.next >= len(q.regions) {
			q.next, q.at = 0, 0
		}
		r := q.regions[q.next]
		n, bad := r.check(q.at)
		if bad {
			at := q.at + n
			forget(q.next)
			return r, at, true
		}
		done += n
		if q.at += n; q.at >= r.size {
			q.next, q.at = q.next+1, 0
		}
	}
	return region{}, 0, false
}

// check compares one tile at an offset, a multiple of the tile. It returns how
// many bytes are poison.
func (r *region) check(at uintptr) (uintptr, bool) {
	tile := poisonOf(r.elem)
	n := min(uintptr(len(tile)), r.size-at)
	memory := unsafe.Slice((*byte)(unsafe.Add(r.base, at)), n)
	if bytes.Equal(memory, tile[:n]) {
		return n, false
	}
	for i := range memory {
		if memory[i] != tile[i] {
			return uintptr(i), true
		}
	}
	return n, false
}
