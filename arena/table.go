package arena

import "math/bits"

// A table maps keys to slabs: open addressing with linear probing, at
// most half full, a power of two in size. The zero table is empty.
type table struct {
	entries []entry
	shift   uint8 // 64 less the logarithm of the number of entries
	n       int
}

type entry struct {
	key  uintptr
	slab *slab
}

// slot spreads addresses by Fibonacci hashing (Knuth, TAOCP 3, 6.4).
func (t *table) slot(key uintptr) int {
	return int(uint64(key) * 0x9e3779b97f4a7c15 >> (t.shift & 63))
}

func (t *table) get(key uintptr) *slab {
	if len(t.entries) == 0 {
		return nil
	}
	for i := t.slot(key); ; i++ {
		e := &t.entries[i&(len(t.entries)-1)]
		if e.key == key || e.key == 0 {
			return e.slab
		}
	}
}

func (t *table) put(key uintptr, s *slab) {
	if 2*t.n >= len(t.entries) {
		t.grow()
	}
	for i := t.slot(key); ; i++ {
		e := &t.entries[i&(len(t.entries)-1)]
		if e.key == 0 {
			t.n++
		}
		if e.key == 0 || e.key == key {
			*e = entry{key, s}
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
		if e.key != 0 {
			t.put(e.key, e.slab)
		}
	}
}

// replace puts s wherever old is.
func (t *table) replace(old, s *slab) {
	for i := range t.entries {
		if t.entries[i].slab == old {
			t.entries[i].slab = s
		}
	}
}
