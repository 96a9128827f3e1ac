package profile

import (
	"hash/maphash"
	"strings"
)

// block is how many bytes of text are allocated at a time: large enough that a
// string costs no allocation of its own, small beside a profile.
const block = 32 << 10

// text interns strings. The empty string is number 0. The bytes lie in blocks
// that are never written again, so a string is a view into one of them.
type text struct {
	strs    []string
	index   index
	current strings.Builder
	bytes   int64 // the memory of all blocks and long strings
}

func (t *text) at(id uint32) string {
	if id == 0 {
		return ""
	}
	return t.strs[id]
}

func (t *text) intern(b []byte) uint32 {
	if len(b) == 0 {
		return 0
	}
	hash := uint32(maphash.Bytes(seed, b))
	if n := len(t.strs) + 2; 2*n > len(t.index.slots) {
		t.grow(n)
	}
	mask := uint32(len(t.index.slots) - 1)
	i := hash & mask
	for ; t.index.slots[i] != 0; i = (i + 1) & mask {
		slot := t.index.slots[i]
		if uint32(slot>>32) == hash && t.strs[uint32(slot)] == string(b) {
			return uint32(slot)
		}
	}
	if len(t.strs) == 0 {
		t.strs = append(t.strs, "")
	}
	id := uint32(len(t.strs))
	t.strs = append(t.strs, t.keep(b))
	t.index.slots[i] = entry(hash, id)
	return id
}

// grow makes room in the index for n strings, as room of table does.
func (t *text) grow(n int) {
	if t.index.reserve(n) {
		return
	}
	for id := 1; id < len(t.strs); id++ {
		t.index.put(entry(uint32(maphash.String(seed, t.strs[id])), uint32(id)))
	}
}

func (t *text) keep(b []byte) string {
	if len(b) > t.current.Cap()-t.current.Len() {
		if len(b) > block/8 {
			t.bytes += int64(len(b))
			return string(b) // would waste the rest of a block
		}
		t.current = strings.Builder{}
		t.current.Grow(block)
		t.bytes += block
	}
	start := t.current.Len()
	t.current.Write(b)
	return t.current.String()[start:]
}
