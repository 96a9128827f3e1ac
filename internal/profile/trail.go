package profile

import "bytes"

// trail remembers one table of the last file, entry after entry, in the file's
// order. The profiles of a process come in one order, new entries before old
// ones: what followed in the last file mostly follows again. Comparing with it
// costs less than a hash, reading on in it far less than going all over the
// dictionary, and an entry that comes again stays where it is.
type trail[W ~uint32] struct {
	words     []W      // the entries, one after the other; what is being read stands behind them
	ends      []int    // where each ends in words; the first begins at ends[0]
	ids       []uint32 // their numbers in table
	now, last []uint32 // the entries of this file and of the last one in order, as indices of ids
	at        int      // which of last is expected next
	table     *table[W]
	keep      bool     // files share a dictionary, so that there is something to follow
	once      bool     // an entry stands in a file once, so that its number says what follows
	places    []uint32 // by number: place in last, from 1, of what has not come yet; for once
}

// start begins a file. It forgets the last one if that was read into another
// dictionary.
func (t *trail[W]) start(table *table[W]) {
	same := t.table == table
	t.table = table
	if !t.keep {
		return
	}
	t.now, t.last, t.at = t.last[:0], t.now, 0
	if !same {
		t.last = t.last[:0]
	}
	if len(t.ids) >= 2*len(t.last) {
		t.tidy()
	}
	if t.once {
		t.places = resize(t.places, table.len())
		clear(t.places)
		for i, entry := range t.last {
			t.places[t.ids[entry]] = uint32(i + 1)
		}
	}
}

// tidy drops the entries that the last file did not have and puts the others in
// its order.
func (t *trail[W]) tidy() {
	words, ends, ids := t.words, t.ends, t.ids
	t.words, t.ends, t.ids = nil, make([]int, 1, len(t.last)+1), make([]uint32, 0, len(t.last))
	for i, entry := range t.last {
		t.words = append(t.words, words[ends[entry]:ends[entry+1]]...)
		t.ends, t.ids = append(t.ends, len(t.words)), append(t.ids, ids[entry])
		t.last[i] = uint32(i)
	}
}

// expected returns the sequence that comes next if this file goes on as the last
// one did, and false if that has no more.
func (t *trail[W]) expected() ([]W, bool) {
	for t.once && t.at < len(t.last) && t.places[t.ids[t.last[t.at]]] == 0 {
		t.at++ // it has come
	}
	if t.at >= len(t.last) {
		return nil, false
	}
	entry := t.last[t.at]
	return t.words[t.ends[entry]:t.ends[entry+1]], true
}

// take returns the number of the sequence that was expected and has come.
func (t *trail[W]) take() uint32 {
	entry := t.last[t.at]
	id := t.ids[entry]
	t.at++
	t.now = append(t.now, entry)
	if t.once {
		t.places[id] = 0
	}
	return id
}

// begin drops what was appended to t.words since the last entry and returns what
// a sequence is to be appended to.
func (t *trail[W]) begin() []W {
	if t.keep {
		t.words = t.words[:t.ends[len(t.ids)]]
	} else {
		t.words = t.table.words // where a new one belongs
	}
	return t.words
}

// intern returns the number of the sequence that was appended since begin.
func (t *trail[W]) intern() uint32 {
	if !t.keep {
		return t.table.adopt(t.words)
	}
	seq := t.words[t.ends[len(t.ids)]:]
	if want, ok := t.expected(); ok && bytes.Equal(view(want), view(seq)) {
		return t.take()
	}
	id := t.table.intern(seq)
	if t.find(id) {
		return t.take()
	}
	t.now = append(t.now, uint32(len(t.ids)))
	t.ends, t.ids = append(t.ends, len(t.words)), append(t.ids, id)
	return id
}

// find makes an entry of the last file that was not expected the expected one. It
// reports false, and leaves the trail where it was, if there is none.
func (t *trail[W]) find(id uint32) bool {
	if t.once {
		if int(id) >= len(t.places) || t.places[id] == 0 {
			return false
		}
		t.at = int(t.places[id]) - 1
		return true
	}
	// Entries that the last file had may be gone.
	const near = 8 // more would cost more than the hash that it saves
	ahead := t.last[t.at:]
	for i, entry := range ahead[:min(near, len(ahead))] {
		if t.ids[entry] == id {
			t.at += i
			return true
		}
	}
	return false
}
