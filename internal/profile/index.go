package profile

import "math/bits"

// index is an open-addressing hash table of numbers that are not 0, each in a
// slot with its 32-bit hash above it; probing is linear and a free slot is 0.
type index struct{ slots []uint64 }

func entry(hash, id uint32) uint64 { return uint64(hash)<<32 | uint64(id) }

// put adds an entry that is not there, for which there is room.
func (x *index) put(entry uint64) {
	mask := uint32(len(x.slots) - 1)
	i := uint32(entry>>32) & mask
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = entry
}

// slotsFor is how many slots keep at least half of them free with n entries.
func slotsFor(n int) int { return max(64, 1<<bits.Len(uint(2*n-1))) }

// reserve makes room for n entries and reports whether earlier entries are still
// there: an index that has no slots has no entries either.
func (x *index) reserve(n int) bool {
	if 2*n <= len(x.slots) {
		return true
	}
	old := x.slots
	x.slots = make([]uint64, slotsFor(n))
	for _, entry := range old {
		if entry != 0 {
			x.put(entry)
		}
	}
	return len(old) > 0
}

// reset empties the index and makes room for n entries, in the same memory if
// that is enough.
func (x *index) reset(n int) {
	x.slots = resize(x.slots, slotsFor(n))
	clear(x.slots)
}

// indexes are the large ones of a Dict. They serve additions alone, and make a
// fourth of its memory. So a decoder whose profiles have a Dict each
// lends all of them the same, which its processor's cache has by then; a Dict
// that is added to later makes its own.
type indexes struct{ text, functions, locations, stacks index }

func (x *indexes) memory() int64 {
	return sizeof(x.text.slots) + sizeof(x.functions.slots) + sizeof(x.locations.slots) + sizeof(x.stacks.slots)
}

// swap exchanges the Dict's indexes for others.
func (x *indexes) swap(d *Dict) {
	x.text, d.text.index = d.text.index, x.text
	x.functions, d.functions.index = d.functions.index, x.functions
	x.locations, d.locations.index = d.locations.index, x.locations
	x.stacks, d.stacks.index = d.stacks.index, x.stacks
}
