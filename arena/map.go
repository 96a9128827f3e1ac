package arena

import (
	"hash/maphash"
	"iter"
)

// A Map is a hash map whose memory is that of an arena: nothing of it needs to
// be collected when the arena is reset. Its values keep the order in which they
// were first set. Like a Go map it must not be used by two goroutines at once
// if one of them sets or deletes, and a nil *Map is empty and panics when set.
// The zero Map uses the heap. A map must not be used after its arena was reset.
type Map[K comparable, V any] struct {
	arena   *Arena
	entries []mapEntry[K, V] // in order of insertion, with gaps where keys were deleted
	index   []uint64         // open addressing: hash bits above, 1+number of the entry below
	live    int
	ready   bool // the seed is made
	seed    maphash.Seed
}

type mapEntry[K comparable, V any] struct {
	key   K
	value V
	hash  uint32 // high bits of the hash, so that growth need not hash again
	used  bool
}

// mapDeleted marks an index slot whose key was deleted; probing goes on.
const mapDeleted = ^uint64(0)

// maxMapEntries is what the low half of an index slot can number.
const maxMapEntries = 1<<32 - 2

// NewMap returns an empty map in a with room for size keys.
func NewMap[K comparable, V any](a *Arena, size int) *Map[K, V] {
	m := New[Map[K, V]](a)
	m.arena = a.owner()
	if size > 0 {
		m.rebuild(size)
	}
	return m
}

// Len returns the number of keys.
func (m *Map[K, V]) Len() int {
	if m == nil {
		return 0
	}
	return m.live
}

// Get returns the value of k, and whether there is one.
func (m *Map[K, V]) Get(k K) (v V, ok bool) {
	if p := m.At(k); p != nil {
		return *p, true
	}
	return v, false
}

// At returns a pointer to the value of k, nil if there is none. It is valid
// until the next Set.
func (m *Map[K, V]) At(k K) *V {
	if m == nil || m.live == 0 {
		return nil
	}
	if i := m.find(k, m.hash(k)); i >= 0 {
		return &m.entries[uint32(m.index[i])-1].value
	}
	return nil
}

// Set gives k the value v. It panics on a nil map.
func (m *Map[K, V]) Set(k K, v V) {
	if m == nil {
		panic("arena: assignment to a key of a nil Map")
	}
	if len(m.entries) == cap(m.entries) {
		m.rebuild(max(8, 2*m.live))
	}
	h := m.hash(k)
	if i := m.find(k, h); i >= 0 {
		m.entries[uint32(m.index[i])-1].value = v
		return
	}
	m.entries = append(m.entries, mapEntry[K, V]{k, v, uint32(h >> 32), true})
	m.place(uint32(h>>32), uint32(len(m.entries)))
	m.live++
}

// Delete removes k.
func (m *Map[K, V]) Delete(k K) {
	if m == nil || m.live == 0 {
		return
	}
	if i := m.find(k, m.hash(k)); i >= 0 {
		m.entries[uint32(m.index[i])-1] = mapEntry[K, V]{}
		m.index[i] = mapDeleted
		m.live--
	}
}

// Clear removes all keys and keeps the memory.
func (m *Map[K, V]) Clear() {
	if m == nil {
		return
	}
	clear(m.entries)
	clear(m.index)
	m.entries, m.live = m.entries[:0], 0
}

// All iterates over keys and values in the order of their insertion. As with a
// Go map, keys may be set and deleted meanwhile; a deleted key is not yielded,
// a new one may be.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if m == nil {
			return
		}
		// A rebuild moves entries; the slice seen here keeps the old ones, whose
		// deletion has to be asked of the map.
		entries := m.entries
		for i := range entries {
			e := &entries[i]
			if !e.used {
				continue
			}
			v := e.value
			if len(m.entries) == 0 || &m.entries[0] != &entries[0] {
				now, ok := m.Get(e.key)
				if !ok {
					continue
				}
				v = now
			}
			if !yield(e.key, v) {
				return
			}
		}
	}
}

// rebuild moves the map to memory for size keys, without gaps.
func (m *Map[K, V]) rebuild(size int) {
	if uint64(size) > maxMapEntries {
		panic("arena: Map: too many keys")
	}
	slots := 8
	for slots*3/4 < size {
		slots *= 2
	}
	m.index = MakeSlice[uint64](m.arena, slots, slots)
	old := m.entries
	m.entries = MakeSlice[mapEntry[K, V]](m.arena, 0, slots*3/4)
	for i := range old {
		if e := &old[i]; e.used {
			m.entries = append(m.entries, *e)
			m.place(e.hash, uint32(len(m.entries)))
		}
	}
}

func (m *Map[K, V]) hash(k K) uint64 {
	if !m.ready {
		m.seed, m.ready = maphash.MakeSeed(), true
	}
	return maphash.Comparable(m.seed, k)
}

// find returns the index slot of k, or -1.
func (m *Map[K, V]) find(k K, h uint64) int {
	mask := len(m.index) - 1
	for i := int(h>>32) & mask; ; i = (i + 1) & mask {
		slot := m.index[i]
		if slot == 0 {
			return -1
		}
		if slot != mapDeleted && slot>>32 == h>>32 && m.entries[uint32(slot)-1].key == k {
			return i
		}
	}
}

// place puts entry number n (from 1) of the hash bits h into the index. There
// is always a free slot: entries are fewer than slots, deleted ones included.
func (m *Map[K, V]) place(h, n uint32) {
	mask := len(m.index) - 1
	i := int(h) & mask
	for m.index[i] != 0 {
		i = (i + 1) & mask
	}
	m.index[i] = uint64(h)<<32 | uint64(n)
}
