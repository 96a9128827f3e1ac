package arena

import "unsafe"

// A Slab hands out values of one type: the fastest way to allocate in a loop,
// because it needs no lookup of the type. It belongs to an arena and shares
// its memory with [New]. A nil *Slab, and the zero one, use the plain heap.
type Slab[T any] struct {
	slab
}

// SlabOf returns the slab of a for values of type T, nil for a nil arena. It
// stays valid through Reset; after Free its use panics.
func SlabOf[T any](a *Arena) *Slab[T] {
	if a == nil {
		return nil
	}
	s := slabOf[T](a, "SlabOf")
	s.exported = true
	return (*Slab[T])(unsafe.Pointer(s))
}

// New returns a pointer to a new zero value.
func (s *Slab[T]) New() *T {
	if s != nil && s.off < s.end {
		p := unsafe.Add(s.base, s.off)
		s.off += unsafe.Sizeof(*new(T))
		return (*T)(p)
	}
	return s.slow()
}

//go:noinline
func (s *Slab[T]) slow() *T {
	if s == nil || s.elem == nil {
		return new(T)
	}
	return (*T)(s.take(1))
}

// MakeSlice is the package's [MakeSlice] without the lookup of the type.
func (s *Slab[T]) MakeSlice(len, cap int) []T {
	if s == nil || s.elem == nil {
		return make([]T, len, cap)
	}
	return makeSlice[T](&s.slab, len, cap)
}

// A slab is a list of chunks, of which the first next are in use, the last of
// these up to off. Between rounds, all memory beyond the values in use is zero,
// unless the slab is raw.
type slab struct {
	base unsafe.Pointer // first byte of the current chunk
	off  uintptr        // bytes of it handed out: an integer, so New has no write barrier
	end  uintptr        // bytes of it that hold whole values

	elem     *elem
	core     *core // nil in the orphaned handle of a freed arena
	chunks   []chunk
	next     int
	held     int64   // bytes of all chunks
	outside  uintptr // bytes of values that came from the plain heap
	raw      bool    // handed out without being zeroed
	exported bool    // a user holds it as a Slab
	freed    bool
}

type chunk struct {
	base unsafe.Pointer
	size uintptr // bytes that hold whole values
	used uintptr // bytes handed out; of the current chunk, slab.off says it
}

// take returns memory for n values in a row; n times their size must not
// overflow.
func (s *slab) take(n int) unsafe.Pointer {
	if debugging && s.core != nil {
		checkQuarantine(s.core)
	}
	need := uintptr(n) * s.elem.size
	// Nothing needs an address of its own, and the end of a chunk is not one.
	if need == 0 || need > s.end-s.off {
		if p := s.advance(n, need); p != nil {
			return p
		}
	}
	p := unsafe.Add(s.base, s.off)
	s.off += need
	return p
}

// advance makes a chunk current that has room for need bytes. It returns
// memory itself where no chunk is to be used.
//
//go:noinline
func (s *slab) advance(n int, need uintptr) unsafe.Pointer {
	if s.freed {
		panic("arena: use of a Slab whose arena has been freed")
	}
	if plainHeap || need == 0 {
		s.outside += need
		return s.elem.make(nil, n)
	}
	if s.next > 0 {
		s.chunks[s.next-1].used = s.off
	}
	i := s.next
	for i < len(s.chunks) && s.chunks[i].size < need {
		i++
	}
	if i == len(s.chunks) {
		s.grow(n, need)
	}
	s.chunks[s.next], s.chunks[i] = s.chunks[i], s.chunks[s.next]
	s.next++
	s.enter()
	return nil
}

// enter makes the last chunk in use current.
func (s *slab) enter() {
	c := &s.chunks[s.next-1]
	s.base, s.off, s.end = c.base, c.used, c.size
}

const (
	minChunk = 2 << 10 // a size class of the runtime; fits 32 values of 64 B
	maxChunk = 1 << 20 // beyond it growth saves no measurable time but wastes memory
)

// grow adds a chunk that holds at least n values. The chunks of a slab double
// its memory until they reach maxChunk; values that would waste more than a
// quarter of such a chunk get one of their own size.
func (s *slab) grow(n int, need uintptr) {
	size := uintptr(min(max(s.held, minChunk), maxChunk))
	if s.elem.pointers {
		size -= mallocHeader
	}
	if count := int(size / s.elem.size); need <= maxChunk/4 && count > n {
		n = count
	}
	c := chunk{base: s.elem.make(s.core, n), size: uintptr(n) * s.elem.size}
	s.chunks = append(s.chunks, c)
	s.held += int64(c.size)
	s.core.held += int64(c.size)
	s.core.ranges.add(c.base, c.size)
}

// mallocHeader is what the runtime puts in front of objects with pointers; a
// chunk with its header shall fill a size class (runtime/mbitmap.go).
const mallocHeader = 8

// rewind frees everything after the first off bytes of chunk next-1.
func (s *slab) rewind(next int, off uintptr) {
	if s.next == 0 {
		return
	}
	s.chunks[s.next-1].used = s.off
	for i := max(next-1, 0); i < s.next; i++ {
		c := &s.chunks[i]
		keep := uintptr(0)
		if i == next-1 {
			keep = off
		}
		s.wipe(c, keep)
		c.used = keep
	}
	if !reuse {
		s.retire(next)
	}
	if s.next = max(next, 1); len(s.chunks) == 0 {
		s.next, s.base, s.off, s.end = 0, nil, 0, 0
		return
	}
	s.enter()
}

// wipe makes the used part of c, without its first keep bytes, ready for the
// next round: zero, so that it refers to nothing. Copies overwrite raw memory.
func (s *slab) wipe(c *chunk, keep uintptr) {
	n := c.used - keep
	if n == 0 {
		return
	}
	p := unsafe.Add(c.base, keep)
	switch {
	case s.elem.clear != nil:
		s.elem.clear(p, int(n/s.elem.size))
	case !s.raw:
		clear(unsafe.Slice((*byte)(p), n))
	}
	if !reuse {
		condemn(s, p, n)
	}
}

// retire lets go of chunks with freed memory, where a build with checks must
// not reuse it: all after the first next, and the rest of chunk next-1.
func (s *slab) retire(next int) {
	for len(s.chunks) > next {
		s.dropLast()
	}
	if next > 0 {
		c := &s.chunks[next-1]
		lost := int64(c.size - c.used)
		c.size = c.used
		s.held -= lost
		s.core.held -= lost
	}
}

// idle reports whether the last chunk holds no value.
func (s *slab) idle() bool {
	return len(s.chunks) > s.next || len(s.chunks) == 1 && s.off == 0
}

// dropLast gives the last chunk, which must be idle, to the collector.
func (s *slab) dropLast() {
	last := len(s.chunks) - 1
	c := s.chunks[last]
	s.chunks[last] = chunk{}
	s.chunks = s.chunks[:last]
	s.held -= int64(c.size)
	s.core.held -= int64(c.size)
	s.core.ranges.remove(c.base, c.size)
	if last < s.next {
		s.next, s.base, s.off, s.end = last, nil, 0, 0
	}
}

// used returns the bytes handed out in this round.
func (s *slab) used() uintptr {
	n := s.outside + s.off
	for i := range s.next - 1 {
		n += s.chunks[i].used
	}
	return n
}
