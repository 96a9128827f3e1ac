package profile

import "encoding/binary"

// written says by LocationID how a file writes its id: in the low 24 bits the
// bytes, the first one lowest, and in the high 8 how many of a word's 32 bits are
// not theirs. 0 is a location that is not in the file or has a longer id. To write
// down what a stack should look like costs less than to read what it is: where
// the next id begins is known without looking at this one.
type written []uint32

// fill makes the table for LocationIDs below n from the locations by their ids.
func (w *written) fill(byID []uint32, n int) {
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
	(*w)[0] = 0 // of ids without a location
}

// same reports whether what is packed from b[i] to the end of b are the ids of
// the locations as the table has them.
func (w written) same(b []byte, i int, locations []LocationID) bool {
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
