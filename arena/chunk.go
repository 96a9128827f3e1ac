package arena

import "unsafe"

// A chunk is one piece of memory for values of one type.
type chunk struct {
	base   unsafe.Pointer
	size   uintptr // bytes that hold whole values
	low    uintptr // the beginning of the used part; slab.low for the current chunk
	zero   uintptr // number of leading bytes that are known to be zero, if the slab is lazy
	closed bool    // a part was freed in a build that must not reuse it
}

const (
	// minChunk is small, because an arena may hold many types with few values each.
	// It is the largest size class for which the runtime needs no header.
	minChunk = 512
	maxChunk = 1 << 20 // beyond it growth saves no measurable time but wastes memory

	// mallocHeader is the runtime's header of objects with pointers above minChunk; a
	// chunk and its header fill a size class (runtime/mbitmap.go).
	mallocHeader = 8
)

// grow adds a chunk for at least n values. Each chunk, up to maxChunk, adds half to
// the memory of the slab, so that at most a third is idle. Values that would waste
// more than a quarter of such a chunk get one of their own size, unless a chunk for
// the whole of an earlier round holds them too. The first chunk has the estimated
// size. If that is too small, hardly more is needed, so the second adds an eighth.
// Where the caller knows how much is ahead, no later chunk is larger than that, except
// that each adds an eighth.
func (s *slab) grow(n int, need uintptr) {
	size := uintptr(min(max(s.held/2, minChunk), maxChunk))
	switch {
	case s.held != 0:
		s.elem.estimate.raise(s.held)
		switch {
		case s.ahead > 0:
			share := max(s.ahead+s.ahead/margin, 1./8)
			size = min(size, max(uintptr(min(share, 1)*float64(s.held)), minChunk))
		case len(s.chunks) == 1 && s.held > minChunk:
			size = min(size, uintptr(max(s.held/8, minChunk)))
		}
	case s.want != 0:
		size = max(size, uintptr(s.want))
	default:
		estimate := s.elem.estimate.next()
		if s.most != 0 {
			estimate = min(estimate, s.most)
		}
		size = max(size, estimate)
	}
	if s.elem.pointers && size > minChunk {
		size -= mallocHeader
	}
	merged := s.held == 0 && s.want != 0
	if count := int(size / s.elem.size); (merged || need <= maxChunk/4) && count > n {
		n = count
	}
	size = uintptr(n) * s.elem.size
	if s.chunks == nil {
		s.chunks = s.few[:0]
	}
	s.chunks = append(s.chunks, chunk{base: s.elem.make(s.core, n), size: size, low: size, zero: size})
	s.held += int64(size)
	s.core.held += int64(size)
	s.core.ranges.add(s.chunks[len(s.chunks)-1].base, size)
}

// restart frees the whole of a dirty slab and returns how many bytes of it were
// in use.
func (s *slab) restart() uintptr {
	if s.fresh != invalid {
		used := s.fresh - s.left
		s.elem.clear(unsafe.Add(s.base, s.left), used)
		s.left = s.fresh
		return used
	}
	used := s.used()
	s.rewind(position{})
	s.merge(used)
	return used
}

// merge drops chunks that one chunk could replace, and records the size of that one
// for the next round.
func (s *slab) merge(used uintptr) {
	if !merges || len(s.chunks) < 2 || s.held > maxChunk {
		return
	}
	s.want = int64(used + used/8)
	for len(s.chunks) > 0 {
		s.dropLast()
	}
}

// rewind frees the values handed out since p.
func (s *slab) rewind(p position) {
	s.outside = p.outside
	if s.next > 0 {
		s.empty(p.next, p.low)
	}
	if s.fresh = invalid; p == (position{}) {
		s.fresh = s.left
	}
}

// empty frees all chunks after the first next ones, and the part of the last of these
// below low.
func (s *slab) empty(next int, low uintptr) {
	s.current().low = s.low()
	for i := max(next-1, 0); i < s.next; i++ {
		c := &s.chunks[i]
		keep := c.size
		if i == next-1 {
			keep = low
		}
		s.release(c, keep)
		c.low = keep
	}
	if !reuse {
		s.retire(next)
	}
	if s.next = max(next, 1); len(s.chunks) == 0 {
		s.next, s.base, s.floor, s.left = 0, nil, 0, 0
		return
	}
	s.enter()
}

// release clears the pointers in the used part of c, up to keep.
func (s *slab) release(c *chunk, keep uintptr) {
	n := keep - c.low
	if n == 0 {
		return
	}
	p := unsafe.Add(c.base, c.low)
	s.elem.clear(p, n)
	if !reuse {
		markFreed(s, p, n)
	}
}

// retire drops chunks with freed memory in builds with checks, which must not hand
// it out again.
func (s *slab) retire(next int) {
	for len(s.chunks) > next {
		s.dropLast()
	}
	if next > 0 {
		s.chunks[next-1].closed = true
	}
}

// dirty reports whether the slab holds a value.
func (s *slab) dirty() bool { return s.left != s.fresh }

// idle reports whether the last chunk holds no value.
func (s *slab) idle() bool {
	n := len(s.chunks)
	return n > s.next || n == 1 && !s.dirty()
}

// dropLast gives the last chunk to the collector.
func (s *slab) dropLast() {
	last := len(s.chunks) - 1
	c := s.chunks[last]
	s.chunks[last] = chunk{}
	s.chunks = s.chunks[:last]
	s.held -= int64(c.size)
	s.core.held -= int64(c.size)
	s.core.ranges.remove(c.base)
	if last < s.next {
		s.next, s.base, s.floor, s.left, s.fresh = last, nil, 0, 0, 0
	}
}
