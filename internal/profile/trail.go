package profile

import "bytes"

// trail is one table of a file, entry after entry, in the file's order. The
// profiles of a process come in one order, new entries before old ones: what
// followed in the last file mostly follows again. Comparing with it costs less
// than a hash, and reading on in it far less than going all over the dictionary.
type trail[W ~uint32] struct {
	now, last steps[W]
	at        int       // which entry of last is expected next
	table     *table[W] // whose numbers they are
	keep      bool      // files share a dictionary, so that there is something to follow
	once      bool      // an entry stands in a file once, so that its place says what follows
	places    []uint32  // by number: place in last, from 1, of what has not come yet; for once
}

// steps are sequences of words, one after the other, with their numbers.
type steps[W ~uint32] struct {
	words []W
	ends  []uint32 // where each ends in words
	ids   []uint32
}

// start begins a file. It forgets the last one if that was read into another
// dictionary.
func (t *trail[W]) start(table *table[W]) {
	if !t.keep {
		t.table = table
		return
	}
	t.last, t.now, t.at = t.now, t.last, 0
	for _, p := range []*steps[W]{&t.now, &t.last} {
		if p == &t.now || t.table != table {
			p.words, p.ends, p.ids = p.words[:0], append(p.ends[:0], 0), p.ids[:0]
		}
	}
	t.table = table
	if t.once {
		t.places = resize(t.places, table.len())
		clear(t.places)
		for i, id := range t.last.ids {
			t.places[id] = uint32(i + 1)
		}
	}
}

// begin drops what was appended to t.now.words since the last entry and returns
// what a sequence is to be appended to.
func (t *trail[W]) begin() []W {
	if !t.keep {
		t.now.words = t.table.words // where a new one belongs
		return t.now.words
	}
	t.now.words = t.now.words[:t.now.ends[len(t.now.ids)]]
	return t.now.words
}

// intern returns the number of the sequence that was appended since begin.
func (t *trail[W]) intern() uint32 {
	if !t.keep {
		return t.table.adopt(t.now.words)
	}
	now, last, id := &t.now, &t.last, uint32(0)
	seq := now.words[now.ends[len(now.ids)]:]
	for t.once && t.at < len(last.ids) && t.places[last.ids[t.at]] == 0 {
		t.at++ // it has come
	}
	if at := t.at; at < len(last.ids) && bytes.Equal(view(last.words[last.ends[at]:last.ends[at+1]]), view(seq)) {
		id = last.ids[at]
		t.at++
		if t.once {
			t.places[id] = 0
		}
	} else {
		id = t.table.intern(seq)
		t.resume(id)
	}
	now.ends, now.ids = append(now.ends, uint32(len(now.words))), append(now.ids, id)
	return id
}

// resume finds the trail again after an entry that was not expected.
func (t *trail[W]) resume(id uint32) {
	if t.once {
		if int(id) < len(t.places) && t.places[id] != 0 {
			t.at, t.places[id] = int(t.places[id]), 0
		}
		return
	}
	// Entries that the last file had may be gone; a new one leaves the trail where
	// it was.
	const near = 8 // more would cost more than the hash that it saves
	ahead := t.last.ids[min(t.at, len(t.last.ids)):]
	for i, there := range ahead[:min(near, len(ahead))] {
		if there == id {
			t.at += i + 1
			return
		}
	}
}
