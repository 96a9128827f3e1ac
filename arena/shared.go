package arena

import "unsafe"

// An original is a value that Promote copies. The count distinguishes slices of one
// array. The address need not keep the value alive: every reference to it that is
// still to be fixed does.
type original struct {
	at    uintptr
	shape *shape
	n     int // values of a slice, -1 behind a pointer
}

// copyTable maps originals to their copies: open addressing with linear probing, at most
// 3/4 full, a power of two in size. A Go map would take a third of the time of
// Promote.
type copyTable struct {
	entries []sharing
	n       int
}

type sharing struct {
	original
	to unsafe.Pointer
}

const (
	minShared = 64
	maxShared = 64 << 10 // 2 MiB, of a table that is kept
)

// of returns the place for the copy of o, nil at first. It is valid until the
// next call.
func (s *copyTable) of(o original) *unsafe.Pointer {
	if s.n >= len(s.entries)/4*3 {
		old := s.entries
		s.entries = make([]sharing, max(minShared, 2*len(old)))
		for _, e := range old {
			if e.at != 0 {
				*s.find(e.original) = e
			}
		}
	}
	e := s.find(o)
	if e.at == 0 {
		e.original = o
		s.n++
	}
	return &e.to
}

// find returns the entry of o, or the empty one for it.
func (s *copyTable) find(o original) *sharing {
	mask := uint(len(s.entries) - 1)
	// Addresses differ above their lowest bits: Fibonacci hashing, from its upper
	// half (Knuth, TAOCP 3, 6.4).
	h := (uint64(o.at) ^ uint64(o.n)<<48) * 0x9e3779b97f4a7c15 >> 32
	for i := uint(h); ; i++ {
		e := &s.entries[i&mask]
		if e.original == o || e.at == 0 {
			return e
		}
	}
}

// empty empties the table. It keeps its memory, unless so little was used that the
// next promotion had better begin small.
func (s *copyTable) empty() {
	if len(s.entries) > max(minShared, min(16*s.n, maxShared)) {
		s.entries = nil
	}
	clear(s.entries)
	s.n = 0
}
