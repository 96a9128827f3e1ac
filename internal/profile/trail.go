package profile

import "bytes"

// trail remembers the sequences of the last file in its order. The profiles of a
// process come in one order, new entries before old ones: a sequence that followed
// in the last file mostly follows again. Comparing with it costs less than a hash,
// reading on in it far less than going all over the dictionary, and a repeated
// sequence stays where it is.
type trail[W ~uint32] struct {
	words     []W      // the sequences, one after the other
	ends      []int    // the end of each in words; ends[0] is 0
	ids       []uint32 // their numbers in table
	now, last []uint32 // the sequences of this file and of the last one, as indices of ids
	at        int      // the index in last of the sequence that is expected next
	table     *table[W]
}

// maxTrail bounds the words that are remembered. A file with more is rare, and a
// decoder forgets it (tidy).
const maxTrail = 4 << 20

// start begins a file. It forgets the last one if that was read into another
// dictionary.
func (t *trail[W]) start(table *table[W]) {
	t.now, t.last, t.at = t.last[:0], t.now, 0
	if t.table != table {
		t.table, t.last = table, t.last[:0]
	}
	if 2*len(t.ids) >= 3*len(t.last) { // a third is not in use
		t.tidy()
	}
}

// tidy drops sequences that the last file did not have and puts the rest in its order.
func (t *trail[W]) tidy() {
	words, ends, ids := t.words, t.ends, t.ids
	t.words, t.ends, t.ids = nil, make([]int, 1, len(t.last)+1), make([]uint32, 0, len(t.last))
	for i, at := range t.last {
		t.words = append(t.words, words[ends[at]:ends[at+1]]...)
		t.ends, t.ids = append(t.ends, len(t.words)), append(t.ids, ids[at])
		t.last[i] = uint32(i)
	}
}

// expected returns the next sequence if this file continues as the last one did, and
// false if that has no more.
func (t *trail[W]) expected() ([]W, bool) {
	if t.at >= len(t.last) {
		return nil, false
	}
	at := t.last[t.at]
	return t.words[t.ends[at]:t.ends[at+1]], true
}

// take returns the number of the expected sequence, which has come.
func (t *trail[W]) take() uint32 {
	at := t.last[t.at]
	t.at++
	t.now = append(t.now, at)
	return t.ids[at]
}

// intern returns the number of the sequence that has come.
func (t *trail[W]) intern(seq []W) uint32 {
	if next, ok := t.expected(); ok && bytes.Equal(view(next), view(seq)) {
		return t.take()
	}
	id := t.table.intern(seq)
	// The entry of the last file may be gone; a new entry leaves the trail where
	// it was.
	const near = 8 // more would cost more than the hash that it saves
	ahead := t.last[t.at:]
	for i, at := range ahead[:min(near, len(ahead))] {
		if t.ids[at] == id {
			t.at += i
			return t.take()
		}
	}
	if len(t.words) > maxTrail {
		return id
	}
	t.now = append(t.now, uint32(len(t.ids)))
	t.words = append(t.words, seq...)
	t.ends, t.ids = append(t.ends, len(t.words)), append(t.ids, id)
	return id
}
