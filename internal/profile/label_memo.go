package profile

import (
	"bytes"
	"encoding/binary"
)

// labelMemo remembers the meaning of the labels of earlier samples of the file, by
// their bytes: object sizes and tenants come again and again. A slot is
// overwritten by the next that falls into it.
type labelMemo [256]memoSlot

type memoSlot struct {
	at  span   // the last fields of a sample, all of them labels
	key uint64 // their last eight bytes
	set LabelsID
}

// find returns the slot for the fields that take the end of b, and whether it has
// them. b begins with the file.
func (m *labelMemo) find(b []byte, from int) (*memoSlot, bool) {
	n, key := len(b)-from, uint64(0)
	if len(b) >= 8 {
		key = binary.LittleEndian.Uint64(b[len(b)-8:])
		key >>= 8 * uint(max(0, 8-n)) // the bytes before are not ours
	}
	slot := &m[key*0x9e3779b97f4a7c15>>56] // Fibonacci hashing: Knuth, TAOCP 3, 6.4
	if slot.key == key && int(slot.at.to-slot.at.from) == n &&
		(n <= 8 && len(b) >= 8 || bytes.Equal(b[slot.at.from:slot.at.to], b[from:])) {
		return slot, true
	}
	slot.at, slot.key = span{}, key
	return slot, false
}
