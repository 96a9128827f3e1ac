package profile

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// seed makes the hashes of one process unlike those of any other, so that no
// file can be written to collide in them.
var seed = maphash.MakeSeed()

// table interns sequences of words: each distinct sequence is stored once and
// has a number, counted from 1 in the order of arrival. The empty sequence is 0.
// Everything in a Dict but text is such a sequence; the words lie one after the
// other in one slice that holds no pointers for the collector to follow.
type table[W ~uint32] struct {
	words []W
	ends  []int // where the sequence of a number ends in words; ends[0] is 0
	index index
	last  uint32 // what was interned last
}

// at returns the sequence of a number. It shares the table's memory.
func (t *table[W]) at(id uint32) []W {
	if id == 0 {
		return nil
	}
	return t.words[t.ends[id-1]:t.ends[id]:t.ends[id]]
}

// len returns how many numbers are in use, 0 included.
func (t *table[W]) len() int { return max(len(t.ends), 1) }

// reserveFirst makes room for n sequences of about size words each in an empty
// table. A table in use grows as it has to: most of what comes is known to it.
func (t *table[W]) reserveFirst(n, size int) {
	if len(t.ends) == 0 {
		t.words = make([]W, 0, n*size)
		t.ends = append(make([]int, 0, n+1), 0)
		t.index.reserve(n + 1)
	}
}

func (t *table[W]) intern(seq []W) uint32 {
	if len(seq) == 0 {
		return 0
	}
	// The profiles of one process come in one order: what followed last time
	// mostly follows again, and comparing it costs less than a hash.
	if next := t.last + 1; int(next) < len(t.ends) && bytes.Equal(view(t.at(next)), view(seq)) {
		t.last = next
		return next
	}
	t.last = t.find(seq)
	return t.last
}

func (t *table[W]) find(seq []W) uint32 {
	hash := uint32(maphash.Bytes(seed, view(seq)))
	if n := t.len() + 1; 2*n > len(t.index.slots) {
		t.index.reserve(n)
	}
	mask := uint32(len(t.index.slots) - 1)
	i := hash & mask
	for ; t.index.slots[i] != 0; i = (i + 1) & mask {
		slot := t.index.slots[i]
		if uint32(slot>>32) == hash && bytes.Equal(view(t.at(uint32(slot))), view(seq)) {
			return uint32(slot)
		}
	}
	if len(t.ends) == 0 {
		t.ends = append(t.ends, 0)
	}
	id := uint32(len(t.ends))
	t.words = append(t.words, seq...)
	t.ends = append(t.ends, len(t.words))
	t.index.slots[i] = uint64(hash)<<32 | uint64(id)
	return id
}

// view returns the memory of a sequence as bytes: hash and comparison of bytes are
// written in assembly.
func view[W ~uint32](seq []W) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(seq))), 4*len(seq))
}

// index is an open-addressing hash table of numbers that are not 0, each in a
// slot with its 32-bit hash above it; probing is linear and a free slot is 0.
type index struct{ slots []uint64 }

// reserve keeps at least half of the slots free with n entries in them.
func (x *index) reserve(n int) {
	if 2*n <= len(x.slots) {
		return
	}
	old := x.slots
	x.slots = make([]uint64, max(64, 1<<bits.Len(uint(2*n-1))))
	mask := uint32(len(x.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := uint32(slot>>32) & mask
		for x.slots[i] != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = slot
	}
}
