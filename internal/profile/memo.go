package profile

import (
	"bytes"
	"encoding/binary"
)

// labelMemo remembers what the labels of earlier samples of the file meant, by
// their bytes: object sizes and tenants come again and again. A slot is
// overwritten by the next that falls into it.
type labelMemo [256]memoSlot

type memoSlot struct {
	at  span   // of the last fields of a sample, all of them labels
	key uint64 // their last eight bytes
	set LabelsID
}

// find returns the slot for the fields at a place, and whether it has them.
func (m *labelMemo) find(raw []byte, at span) (*memoSlot, bool) {
	n := at.to - at.from
	var key uint64
	if at.to >= 8 {
		key = binary.LittleEndian.Uint64(raw[at.to-8 : at.to])
		if n < 8 {
			key >>= 8 * (8 - n) // what stands before is not ours
		}
	}
	slot := &m[key*0x9e3779b97f4a7c15>>56] // Fibonacci hashing: Knuth, TAOCP 3, 6.4
	if slot.key == key && slot.at.to-slot.at.from == n &&
		(n <= 8 && at.to >= 8 || bytes.Equal(raw[slot.at.from:slot.at.to], raw[at.from:at.to])) {
		return slot, true
	}
	slot.at, slot.key = span{}, key
	return slot, false
}
