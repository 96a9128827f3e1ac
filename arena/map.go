package arena

import (
	"iter"
	"math/bits"
	"reflect"
	"unsafe"
)

// A Map is a hash map in an arena, so it leaves no garbage when the arena is reset.
// Unlike a Go map, it iterates in the order of insertion until a key is deleted; the
// next new key takes the place of that one. As with a Go map, goroutines may read it
// concurrently, but not while one of them sets or deletes; a nil *Map is empty, and
// its Set panics. The zero Map uses the heap. A Map must not be copied. It must not
// be used after its arena is freed or reset, or is reset to a checkpoint taken before
// the map last grew.
type Map[K comparable, V any] struct {
	_      noCopy
	arena  *Arena
	blocks [][]mapEntry[K, V] // each as large as all before it, so that entries never move
	last   []mapEntry[K, V]   // the last block
	start  uint32             // number of its first entry
	made   uint32             // entries that were ever in use
	free   uint32             // 1+number of the first free entry among them, 0 for none
	shift  uint8              // logarithm of the size of the first block
	hashes hashing
	live   int
	index  []uint64 // open addressing; see slot
	full   int      // slots of the index that are not empty, the deleted ones included
	most   int      // upper bound of full
}

type mapEntry[K comparable, V any] struct {
	key   K
	value V
	hash  uint32 // the next free entry, if this one is free
	used  bool
}

// A slot of the index holds a hash in its upper half, and 1 + the number of the entry
// in its lower half. It is 0 if empty, mapDeleted if probing must continue.
const (
	mapDeleted    = 1 << 32
	maxMapEntries = 1<<32 - 2
)

// NewMap returns an empty map in a with room for size keys. As with make, a negative
// size counts as 0. NewMap panics if size is too large.
func NewMap[K comparable, V any](a *Arena, size int) *Map[K, V] {
	if uint64(max(size, 0)) > maxMapEntries/2 {
		panic("arena: NewMap: size out of range")
	}
	m := New[Map[K, V]](a)
	m.arena = a.owner()
	if size > 0 {
		m.shift = uint8(bits.Len(uint(size - 1)))
		m.addBlock()
		m.reindex(1 << bits.Len(uint(size)*4/3))
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
	if e := m.lookup(k); e != nil {
		return e.value, true
	}
	return v, false
}

// At returns a pointer to the value of k, nil if there is none. It is valid until k
// is deleted or the map cleared.
func (m *Map[K, V]) At(k K) *V {
	if e := m.lookup(k); e != nil {
		return &e.value
	}
	return nil
}

// lookup is the fast path of find for Get and At. For integer keys it makes no
// calls, for strings it calls only the hash and ==.
func (m *Map[K, V]) lookup(k K) *mapEntry[K, V] {
	if m == nil || m.live == 0 {
		return nil
	}
	var h uint32
	switch m.hashes {
	case hashInteger:
		h = hashOfInteger(integer(&k))
	case hashString:
		h = hashOfString(*(*string)(unsafe.Pointer(&k)))
	default:
		h = hash(k, &m.hashes)
	}
	at, mask := int(h), len(m.index)-1
	for range m.index {
		slot := m.index[at&mask]
		if uint32(slot>>32) == h && uint32(slot) != 0 {
			if e := m.entry(uint32(slot) - 1); e.key == k {
				return e
			}
		} else if slot == 0 {
			return nil
		}
		at++
	}
	panic("arena: use of a Map whose memory has been freed")
}

// Set gives k the value v. It panics on a nil map.
func (m *Map[K, V]) Set(k K, v V) {
	if m == nil {
		panic("arena: assignment to a key of a nil Map")
	}
	if m.full >= m.most {
		m.makeRoom()
	}
	e, slot, h := m.find(k)
	if e != nil {
		e.value = v
		return
	}
	if m.index[slot] == 0 {
		m.full++
	}
	n := m.made
	if at := n - m.start; m.free == 0 && int(at) < len(m.last) {
		m.made++
		e = &m.last[at]
	} else {
		n = m.reuse()
		e = m.entry(n)
	}
	*e = mapEntry[K, V]{k, v, h, true}
	m.index[slot] = uint64(h)<<32 | uint64(n+1)
	m.live++
}

// Delete removes k.
func (m *Map[K, V]) Delete(k K) {
	if m == nil || m.live == 0 {
		return
	}
	if e, slot, _ := m.find(k); e != nil {
		*e = mapEntry[K, V]{hash: m.free}
		m.free = uint32(m.index[slot])
		m.index[slot] = mapDeleted
		m.live--
	}
}

// Clear removes all keys and keeps the memory.
func (m *Map[K, V]) Clear() {
	if m == nil {
		return
	}
	for _, b := range m.blocks {
		clear(b)
	}
	clear(m.index)
	m.made, m.free, m.live, m.full = 0, 0, 0, 0
	if len(m.blocks) > 0 {
		m.last, m.start = m.blocks[0], 0
	}
}

// All iterates over keys and values. As with a Go map, keys may be set and
// deleted meanwhile; a deleted key is not yielded, a new one may be.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if m == nil {
			return
		}
		for n := uint32(0); n < m.made; n++ {
			if e := m.entry(n); e.used && !yield(e.key, e.value) {
				return
			}
		}
	}
}

// entry returns entry number n. The entries of a small map are all in one block.
func (m *Map[K, V]) entry(n uint32) *mapEntry[K, V] {
	if len(m.blocks) == 1 {
		return &m.last[n]
	}
	b := bits.Len32(n >> (m.shift & 31))
	if b > 0 {
		n -= 1 << ((m.shift + uint8(b) - 1) & 31)
	}
	return &m.blocks[b][n]
}

// reuse returns the number of a free entry if the last block is full: the entry of a
// deleted key, or the first of the next block.
func (m *Map[K, V]) reuse() uint32 {
	if n := m.free; n != 0 {
		m.free = m.entry(n - 1).hash
		return n - 1
	}
	b := bits.Len32(m.made >> m.shift)
	if b == len(m.blocks) {
		m.addBlock()
	}
	m.last, m.start = m.blocks[b], m.made
	m.made++
	return m.made - 1
}

func (m *Map[K, V]) addBlock() {
	size := 1 << m.shift << max(len(m.blocks)-1, 0)
	m.blocks = Append(m.arena, m.blocks, MakeSlice[mapEntry[K, V]](m.arena, size, size))
}

// An index begins with minIndex slots, and grows fourfold while it is small:
// refilling it takes longer than clearing the memory that this may waste.
const (
	minIndex   = 32
	smallIndex = 2048
)

// makeRoom enlarges the index, or only removes its deleted slots.
func (m *Map[K, V]) makeRoom() {
	slots := len(m.index)
	switch {
	case slots == 0:
		slots = minIndex
		if len(m.blocks) == 0 {
			m.shift = 3
		}
	case m.live <= slots/8*3:
	case slots < smallIndex:
		slots *= 4
	default:
		slots *= 2
	}
	if uint64(slots)/4*3 > maxMapEntries {
		panic("arena: Map: too many keys")
	}
	m.reindex(slots)
}

// reindex makes an index of the given size, a power of two.
func (m *Map[K, V]) reindex(slots int) {
	if slots = max(slots, minIndex); slots == len(m.index) {
		clear(m.index)
	} else {
		m.index = MakeSlice[uint64](m.arena, slots, slots)
		m.most = slots / 4 * 3
	}
	m.full = m.live
	n := uint32(0)
	for _, block := range m.blocks {
		for i := range block[:min(len(block), int(m.made-n))] {
			n++
			e := &block[i]
			if !e.used {
				continue
			}
			at := int(e.hash) & (slots - 1)
			for m.index[at] != 0 {
				at = (at + 1) & (slots - 1)
			}
			m.index[at] = uint64(e.hash)<<32 | uint64(n)
		}
	}
}

// rehash makes the map find keys that have been changed in place. The map
// gets a new index: the old one may still belong to another map.
func (m *Map[K, V]) rehash() {
	if m == nil || len(m.index) == 0 || !hasPointers(reflect.TypeFor[K]()) {
		return
	}
	for n := range m.made {
		if e := m.entry(n); e.used {
			e.hash = hash(e.key, &m.hashes)
		}
	}
	slots := len(m.index)
	m.index = nil
	m.reindex(slots)
}

// find returns the entry of k, its slot and its hash; without an entry, nil and
// the slot to use. There is always an empty slot, where probing ends, unless the
// memory of the index has been freed and serves something else.
func (m *Map[K, V]) find(k K) (*mapEntry[K, V], int, uint32) {
	h := hash(k, &m.hashes)
	index, gap := m.index, -1
	start := int(h) & (len(index) - 1)
	for range 2 { // first the entries behind it, then the ones before it
		for i := start; i < len(index); i++ {
			slot := index[i]
			switch {
			case slot>>32 == uint64(h) && uint32(slot) != 0:
				if e := m.entry(uint32(slot) - 1); e.key == k {
					return e, i, h
				}
			case slot == 0 && gap < 0:
				return nil, i, h
			case slot == 0:
				return nil, gap, h
			case slot == mapDeleted && gap < 0:
				gap = i
			}
		}
		start = 0
	}
	panic("arena: use of a Map whose memory has been freed")
}
