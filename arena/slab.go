package arena

import "unsafe"

// A Slab hands out values of one type: the fastest way to allocate in a loop,
// because it needs no lookup of the type and New is compiled into the caller.
// It belongs to an arena and shares its memory with [New]. The zero Slab uses
// the plain heap; a nil *Slab panics like any nil pointer. It must not be copied.
type Slab[T any] struct { // a slab, field by field: New must fit the inliner's budget
	_    noCopy
	_    [0]*T // else a *Slab could be converted to one of another type (go.dev/issue/56603)
	base unsafe.Pointer
	left uintptr
	_    uintptr
	slabRest
}

// NewSlab returns a slab of a for values of type T; for a nil arena, a zero Slab. All
// slabs of an arena for one type share their memory. It stays valid through Reset;
// after Free its use panics.
func NewSlab[T any](a *Arena) *Slab[T] {
	if a == nil {
		return new(Slab[T])
	}
	s := slabOf[T](a, "NewSlab")
	s.exported = true
	return (*Slab[T])(unsafe.Pointer(s))
}

// New returns a pointer to a new zero value.
func (s *Slab[T]) New() (p *T) {
	// Kept within the compiler's budget for inlining.
	if s.left != 0 {
		s.left -= unsafe.Sizeof(*p)
		return (*T)(unsafe.Add(s.base, s.left))
	}
	return s.slow()
}

//go:noinline
func (s *Slab[T]) slow() *T {
	if s.elem == nil {
		return new(T)
	}
	return (*T)((*slab)(unsafe.Pointer(s)).take(1))
}

// MakeSlice is the package's [MakeSlice] without the lookup of the type.
func (s *Slab[T]) MakeSlice(len, cap int) []T {
	if s.elem == nil {
		return make([]T, len, cap)
	}
	return makeSlice[T]((*slab)(unsafe.Pointer(s)), len, cap)
}

// A slab is a list of chunks, of which the first next are in use. A chunk is
// used from its end downwards, which saves New the comparison with a limit and
// so lets it be inlined. The window is the part of the current chunk that is
// zero and ready to be handed out; the part below it may have to be cleared.
type slab struct { // [Slab] has the same fields
	base unsafe.Pointer // first byte of the window, if it is not empty
	left uintptr        // bytes of the window: an integer, so New has no write barrier
	key  uintptr        // the key in New; 0 before New has used it
	slabRest
}

// slabRest holds the fields that the fast path of New does not read.
type slabRest struct {
	fresh    uintptr // left when no value is alive; invalid once the window has moved
	floor    uintptr // the window begins here in the current chunk
	elem     *elem
	core     *core // nil in the orphaned handle of a freed arena
	chunks   []chunk
	few      [2]chunk // first memory of chunks
	next     int
	held     int64   // bytes of all chunks
	want     int64   // size of the first chunk in bytes; 0 if not known
	most     uintptr // bytes that an estimate for the first chunk may have; 0 is no limit
	ahead    float64 // how much more will be needed, in relation to held; 0 is not known
	outside  uintptr // bytes of values that came from the plain heap
	raw      bool    // handed out without being cleared
	exported bool    // a user holds it as a Slab
	freed    bool
}

// take returns memory for n values in a row; n times their size must not
// overflow.
func (s *slab) take(n int) unsafe.Pointer {
	if debugging {
		checkQuarantine()
	}
	need := uintptr(n) * s.elem.size
	// An empty value needs no memory of its own, and the window may be empty.
	if need == 0 || need > s.left {
		if p := s.advance(n, need); p != nil {
			return p
		}
	}
	s.left -= need
	return unsafe.Add(s.base, s.left)
}

// advance makes room for need bytes in the window and returns nil, or returns memory
// of the plain heap.
//
//go:noinline
func (s *slab) advance(n int, need uintptr) unsafe.Pointer {
	if s.freed {
		panic("arena: use of a Slab whose arena has been freed")
	}
	if plainHeap || need == 0 {
		if need != 0 {
			s.outside, s.fresh, s.core.whole = s.outside+need, invalid, invalid
		}
		return s.elem.make(nil, n)
	}
	s.fresh, s.core.whole = invalid, invalid
	if s.next > 0 {
		if c := s.current(); !c.closed && s.low() >= need {
			s.open(need)
			return nil
		}
		s.current().low = s.low()
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
	if need > s.left {
		s.open(need)
	}
	return nil
}

// invalid stands for an unknown number of bytes. No slab has as many left.
const invalid = ^uintptr(0)

// current returns the last chunk in use.
func (s *slab) current() *chunk { return &s.chunks[s.next-1] }

// low returns where the used part of the current chunk begins.
func (s *slab) low() uintptr { return s.floor + s.left }

// lazy reports whether memory is cleared when it is handed out, while it is in the
// cache. Pointers must be cleared when a round ends, or they keep values alive.
func (s *slab) lazy() bool { return !s.raw && !s.elem.pointers }

// enter makes the last chunk in use current.
func (s *slab) enter() {
	c := s.current()
	s.base, s.floor, s.left = c.base, 0, c.low
	if s.lazy() || c.closed || debugging && !s.raw {
		s.floor, s.left = c.low, 0
	}
}

// A window is cleared as a whole, since each clearing has a fixed cost. It is small
// enough to stay in the fastest cache until it is used. The first is smaller, and
// later ones are at most as large as the part of the chunk handed out in this round.
const (
	minWindow = 4 << 10
	maxWindow = 16 << 10
)

// open extends the window downwards to at least need bytes.
func (s *slab) open(need uintptr) {
	c, low, floor := s.current(), s.low(), uintptr(0)
	if c.zero < s.floor || debugging && !s.raw { // no window outlasts a call if there are checks
		size := need - s.left
		if !debugging {
			window := min(max(c.size-low, minWindow), maxWindow)
			size = max(size, window/s.elem.size*s.elem.size)
		}
		floor = s.floor - min(size, s.floor)
		if from := max(floor, c.zero); from < s.floor { // never a pointer past the chunk
			clear(unsafe.Slice((*byte)(unsafe.Add(c.base, from)), s.floor-from))
		}
	}
	c.zero = min(c.zero, floor)
	s.base, s.floor, s.left = unsafe.Add(c.base, floor), floor, low-floor
}

// used returns the bytes handed out in this round.
func (s *slab) used() uintptr {
	n := s.outside
	for i := range s.next {
		c := &s.chunks[i]
		low := c.low
		if i == s.next-1 {
			low = s.low()
		}
		n += c.size - low
	}
	return n
}
