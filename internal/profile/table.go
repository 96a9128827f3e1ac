package profile

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unsafe"
)

// seed makes the hashes of each process different, so that nobody can write a file whose hashes
// collide.
var seed = maphash.MakeSeed()

// A table interns sequences of words. It stores each distinct sequence once and gives it a
// number, from 1 on in the order of arrival. The empty sequence has the number 0. Everything in
// a Dict except text is such a sequence. All words are in one slice without pointers, which the
// collector need not scan.
type table[W ~uint32] struct {
	words []W
	ends  []int // the end of each sequence in words; ends[0] is 0
	index index
	last  uint32 // the number interned last
}

// at returns the sequence of a number. It shares the table's memory.
func (t *table[W]) at(id uint32) []W {
	if id == 0 {
		return nil
	}
	return t.words[t.ends[id-1]:t.ends[id]:t.ends[id]]
}

// len returns the number of numbers in use, including 0.
func (t *table[W]) len() int { return max(len(t.ends), 1) }

// reserveFirst makes room for n sequences of about size words each in an empty
// table. A table in use grows as it has to: it knows most sequences already.
func (t *table[W]) reserveFirst(n, size int) {
	if len(t.ends) == 0 {
		t.words = make([]W, 0, n*size)
		t.ends = append(make([]int, 0, n+1), 0)
		t.index.reset(n + 1)
	}
}

// foresee makes room in a table that began empty for the words of n sequences, if they are as
// long as the ones that came. It adds a little, which costs less than growing later.
func (t *table[W]) foresee(came, n int) {
	t.words = slices.Grow(t.words, len(t.words)*(n-came)/came*9/8)
}

// enough is the number of sequences from which foresee estimates the rest.
const enough = 512

// intern returns the number of a sequence.
func (t *table[W]) intern(seq []W) uint32 {
	if len(seq) == 0 {
		return 0
	}
	// The profiles of one process come in one order: the sequence that followed
	// last time mostly follows again, and comparing it costs less than a hash.
	if next := t.last + 1; int(next) < len(t.ends) && bytes.Equal(view(t.at(next)), view(seq)) {
		t.last = next
		return next
	}
	hash := t.hash(seq)
	slot, id := t.find(seq, hash)
	if id == 0 {
		id = t.add(append(t.words, seq...), slot, hash)
	}
	t.last = id
	return id
}

// adopt is intern for a sequence that was appended to t.words already, so that a new one need
// not be copied.
func (t *table[W]) adopt(words []W) uint32 {
	seq := words[len(t.words):]
	if len(seq) == 0 {
		return 0
	}
	hash := t.hash(seq)
	slot, id := t.find(seq, hash)
	if id == 0 {
		id = t.add(words, slot, hash)
	}
	return id
}

func (t *table[W]) hash(seq []W) uint32 { return uint32(maphash.Bytes(seed, view(seq))) }

// find returns the number of a sequence, or 0 and the free slot for it.
func (t *table[W]) find(seq []W, hash uint32) (slot, id uint32) {
	t.room()
	slots := t.index.slots
	mask := uint32(len(slots) - 1)
	i := hash & mask
	for ; slots[i] != 0; i = (i + 1) & mask {
		if uint32(slots[i]>>32) == hash && bytes.Equal(view(t.at(uint32(slots[i]))), view(seq)) {
			return i, uint32(slots[i])
		}
	}
	return i, 0
}

// add gives the words beyond the last sequence a number.
func (t *table[W]) add(words []W, slot, hash uint32) uint32 {
	if len(t.ends) == 0 {
		t.ends = append(t.ends, 0)
	}
	id := uint32(len(t.ends))
	t.words = words
	t.ends = append(t.ends, len(words))
	t.index.slots[slot] = entry(hash, id)
	return id
}

// room makes room in the index for one more. If the index was lent and is gone, room makes a
// new one.
func (t *table[W]) room() {
	if n := t.len() + 1; 2*n <= len(t.index.slots) || t.index.reserve(n) {
		return
	}
	for id := 1; id < len(t.ends); id++ {
		t.index.put(entry(t.hash(t.at(uint32(id))), uint32(id)))
	}
}

// view returns the memory of a sequence as bytes: hash and comparison of bytes are
// written in assembly.
func view[W ~uint32](seq []W) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(seq))), 4*len(seq))
}
