package profile

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// seed makes the hashes of one process unlike those of any other, so that no
// file can be written to collide in them.
var seed = maphash.MakeSeed()

var wordSeed = maphash.Bytes(seed, []byte("words"))

// table interns sequences of words: each distinct sequence is stored once and
// has a number, counted from 1 in the order of arrival. The empty sequence is 0.
// Everything in a Dict but text is such a sequence; the words lie one after the
// other in one slice that holds no pointers for the collector to follow.
type table[W ~uint32] struct {
	words []W
	ends  []int // where the sequence of a number ends in words; ends[0] is 0
	index index
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

// reserve makes room for n further sequences of about size words each.
func (t *table[W]) reserve(n, size int) {
	t.words = slices.Grow(t.words, n*size)
	t.ends = slices.Grow(t.ends, n+1)
	t.index.reserve(t.len() + n)
}

func (t *table[W]) intern(seq []W) uint32 {
	if len(seq) == 0 {
		return 0
	}
	hash := hashWords(seq)
	t.index.reserve(t.len() + 1)
	mask := uint32(len(t.index.slots) - 1)
	i := hash & mask
	for ; t.index.slots[i] != 0; i = (i + 1) & mask {
		slot := t.index.slots[i]
		if uint32(slot>>32) == hash && slices.Equal(t.at(uint32(slot)), seq) {
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

// hashWords folds the 128-bit product of state and input, two words at a time,
// as wyhash does (github.com/wangyi-fudan/wyhash); the multiplier is its first
// secret.
func hashWords[W ~uint32](seq []W) uint32 {
	h := wordSeed ^ uint64(len(seq))
	for len(seq) >= 2 {
		h = fold(h ^ (uint64(seq[0]) | uint64(seq[1])<<32))
		seq = seq[2:]
	}
	if len(seq) == 1 {
		h = fold(h ^ uint64(seq[0]))
	}
	h = fold(h ^ wordSeed>>32)
	return uint32(h ^ h>>32)
}

func fold(x uint64) uint64 {
	hi, lo := bits.Mul64(x, 0xa0761d6478bd642f)
	return hi ^ lo
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
