package profile

import "bytes"

// batch is some sequences, none of them empty, that are interned together. To
// look one up in a large table is to wait for memory, its index first; the
// processor waits for many at once if they are looked up one straight after the
// other.
type batch[W ~uint32] struct {
	words  []W   // the sequences, one after the other; the one being read is last
	ends   []int // the end of each in words
	hashes [batchSize]uint32
	slots  [batchSize]uint64 // the index entry in the place of each
	ids    [batchSize]uint32
}

// batchSize is how many sequences make a batch: so few that they stay in the
// processor's fastest cache.
const batchSize = 256

// begin drops words appended since the last sequence and returns where the next
// begins.
func (b *batch[W]) begin() int {
	start := 0
	if n := len(b.ends); n > 0 {
		start = b.ends[n-1]
	}
	b.words = b.words[:start]
	return start
}

// end makes a sequence of the words appended since begin and reports whether the
// batch is full.
func (b *batch[W]) end() bool {
	b.ends = append(b.ends, len(b.words))
	return len(b.ends) == batchSize
}

func (b *batch[W]) reset() { b.words, b.ends = b.words[:0], b.ends[:0] }

// intern empties the batch and returns the numbers of its sequences, valid until
// the next call.
func (b *batch[W]) intern(t *table[W]) []uint32 {
	t.room()
	start := 0
	for i, end := range b.ends {
		b.hashes[i] = t.hash(b.words[start:end])
		start = end
	}
	mask := uint32(len(t.index.slots) - 1)
	for i, hash := range b.hashes[:len(b.ends)] {
		b.slots[i] = t.index.slots[hash&mask]
	}
	start = 0
	for i, end := range b.ends {
		seq, hash, id := b.words[start:end], b.hashes[i], uint32(b.slots[i])
		if uint32(b.slots[i]>>32) != hash || !bytes.Equal(view(t.at(id)), view(seq)) {
			var slot uint32
			if slot, id = t.find(seq, hash); id == 0 {
				id = t.add(append(t.words, seq...), slot, hash)
			}
		}
		b.ids[i], start = id, end
	}
	ids := b.ids[:len(b.ends)]
	b.reset()
	return ids
}
