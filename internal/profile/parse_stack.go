package profile

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// parseStack appends the locations of one field, packed or not, to the stack.
func (s *parser) parseStack(m *message) {
	err := error(nil)
	if m.tag&7 == wireBytes {
		err = s.appendStack(m.bytes())
	} else {
		err = s.appendLocation(m.number())
	}
	if err != nil {
		m.fail(err)
	}
}

// appendStack appends the locations of packed ids.
func (s *parser) appendStack(b []byte) error {
	for {
		b = b[s.shortIDs(b):]
		if len(b) == 0 {
			return nil
		}
		id, next := uvarint(b, 0)
		if next < 0 {
			return errVarint
		}
		if err := s.appendLocation(id); err != nil {
			return err
		}
		b = b[next:]
	}
}

// appendLocation appends the location that has an id in the file.
func (s *parser) appendLocation(id uint64) error {
	loc := s.locations.get(id)
	if loc == 0 {
		return fmt.Errorf("location %d is not in the profile", id)
	}
	s.stack = append(s.stack, LocationID(loc))
	return nil
}

// shortIDs appends to the stack the locations of ids of one or two bytes, which
// nearly all are. It stops at any other id and returns how many bytes it has read.
func (s *parser) shortIDs(b []byte) int {
	words := s.stack
	n := len(words)
	if cap(words)-n < len(b) { // an id takes a byte at least
		words = slices.Grow(words, len(b))
	}
	read, found := shortIDs(b, s.locations.short(), words[n:cap(words)])
	s.stack = words[:n+found]
	return read
}

// shortIDs decodes ids and looks them up. This is the innermost loop of all: it
// stands alone, without a call in it, so that its variables stay in registers.
func shortIDs(b []byte, ids *shortTable, out []LocationID) (read, found int) {
	i, n := 0, 0
	for len(b)-i >= 8 && len(out)-n >= 4 {
		const two = 0x0080_0080_0080_0080
		x := binary.LittleEndian.Uint64(b[i:])
		if x&(two|two<<8) != two {
			break
		}
		// Four ids of two bytes, as most are that are no root of a call path.
		x = x&0x007f_007f_007f_007f | x&0x7f00_7f00_7f00_7f00>>1
		o := out[n : n+4 : n+4]
		o[0], o[1], o[2], o[3] = LocationID(ids[x&(1<<14-1)]), LocationID(ids[x>>16&(1<<14-1)]),
			LocationID(ids[x>>32&(1<<14-1)]), LocationID(ids[x>>48&(1<<14-1)])
		if o[0] == 0 || o[1] == 0 || o[2] == 0 || o[3] == 0 {
			break
		}
		i, n = i+8, n+4
	}
	// Whether an id has one byte or two is not foreseeable, so nothing here branches
	// on it.
	for read = i; len(b)-i >= 2 && n < len(out); read = i {
		low, high := uint(b[i]), uint(b[i+1])
		long := low >> 7
		loc := ids[(low&0x7f|high<<7*long)&(1<<14-1)]
		if loc == 0 || long&(high>>7) != 0 {
			return read, n
		}
		out[n] = LocationID(loc)
		i, n = i+1+int(long), n+1
	}
	if i < len(b) && n < len(out) && b[i] < 0x80 && ids[b[i]] != 0 {
		out[n] = LocationID(ids[b[i]])
		read, n = i+1, n+1
	}
	return read, n
}
