package arena

import (
	"math/bits"
	"unsafe"
)

// A table maps type words to slabs: open addressing with linear probing, at
// most half full, a power of two in size. The zero table is empty.
type table struct {
	entries []entry
	shift   uint8 // 64 less the logarithm of the number of entries
	n       int
}

type entry struct {
	word unsafe.Pointer
	slab *slab
}

// slot spreads addresses by Fibonacci hashing (Knuth, TAOCP 3, 6.4).
func (t *table) slot(word unsafe.Pointer) int {
	return int(uint64(uintptr(word)) * 0x9e3779b97f4a7c15 >> (t.shift & 63))
}

func (t *table) get(word unsafe.Pointer) *slab {
	if len(t.entries) == 0 {
		return nil
	}
	for i := t.slot(word); ; i++ {
		e := &t.entries[i&(len(t.entries)-1)]
		if e.word == word || e.word == nil {
			return e.slab
		}
	}
}

func (t *table) put(word unsafe.Pointer, s *slab) {
	if 2*t.n >= len(t.entries) {
		t.grow()
	}
	for i := t.slot(word); ; i++ {
		e := &t.entries[i&(len(t.entries)-1)]
		if e.word == nil {
			t.n++
		}
		if e.word == nil || e.word == word {
			*e = entry{word, s}
			return
		}
	}
}

func (t *table) grow() {
	old := t.entries
	t.entries = make([]entry, max(16, 2*len(old)))
	t.shift = uint8(65 - bits.Len(uint(len(t.entries))))
	t.n = 0
	for _, e := range old {
		if e.word != nil {
			t.put(e.word, e.slab)
		}
	}
}
