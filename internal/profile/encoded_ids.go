package profile

import "encoding/binary"

// encodedIDs caches the varint encoding of each location's id in a file, so that stacks
// are compared byte for byte without decoding: the place of the next id is known
// without looking at this one. It is indexed by LocationID. The low 24 bits hold the
// bytes, the first one lowest, and the high 8 the number of a word's 32 bits that are
// not part of them. 0 is a location that is not in the file or has a longer id.
type encodedIDs []uint32

// fill makes the table for LocationIDs below n from the locations by their ids.
func (w *encodedIDs) fill(byID []uint32, n int) {
	*w = resize(*w, n)
	clear(*w)
	for id, loc := range byID[:min(len(byID), 1<<21)] {
		x := uint32(id)
		switch {
		case x < 1<<7:
			x |= 24 << 24
		case x < 1<<14:
			x = x&0x7f | 0x80 | x>>7<<8 | 16<<24
		default:
			x = x&0x7f | 0x80 | (x>>7&0x7f|0x80)<<8 | x>>14<<16 | 8<<24
		}
		(*w)[loc] = x
	}
	(*w)[0] = 0 // ids without a location
}

// same reports whether b, from b[i] to its end, is the packed encoding of the
// locations' ids.
func (w encodedIDs) same(b []byte, i int, locations []LocationID) bool {
	for _, loc := range locations {
		id := w[loc]
		if id == 0 || i+4 > cap(b) { // the bytes that follow in the file may be looked at
			return false
		}
		if (binary.LittleEndian.Uint32(b[i:i+4])^id)<<(id>>24&31) != 0 {
			return false
		}
		i += 4 - int(id>>27)
	}
	return i == len(b)
}
