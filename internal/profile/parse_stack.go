package profile

import (
	"fmt"
	"slices"
)

// parseStack appends the locations of one field, packed or not, to s.stack.
func (s *parser) parseStack(m *message) {
	if m.tag&7 != wireBytes {
		s.stack = append(s.stack, s.location(m.number(), m))
		return
	}
	b, n := m.bytes(), len(s.stack)
	if cap(s.stack)-n < len(b) { // an id takes a byte at least
		s.stack = slices.Grow(s.stack, len(b))
	}
	stack := s.stack[:cap(s.stack)]
	for {
		read, found := shortIDs(b, s.locations.short(), stack[n:])
		b, n = b[read:], n+found
		if len(b) == 0 {
			break
		}
		id, next := uvarint(b, 0)
		if next < 0 {
			m.fail(errVarint)
			break
		}
		stack[n] = s.location(id, m)
		b, n = b[next:], n+1
	}
	s.stack = stack[:n]
}

// location returns the location that has an id in the file.
func (s *parser) location(id uint64, m *message) LocationID {
	loc := s.locations.get(id)
	if loc == 0 {
		m.fail(fmt.Errorf("location %d is not in the profile", id))
	}
	return LocationID(loc)
}

// shortIDs decodes ids of one or two bytes, which nearly all are, and looks them
// up. It stops at what it cannot do and returns how many bytes it has read and
// how many locations found. This is the innermost loop of all: it stands alone,
// without a call in it, so that its variables stay in registers.
func shortIDs(b []byte, ids *shortTable, out []LocationID) (read, found int) {
	i, n := 0, 0
	for i < len(b) && n < len(out) {
		id := uint(b[i])
		i++
		if id >= 0x80 {
			if i >= len(b) || b[i] >= 0x80 {
				break
			}
			id = id&0x7f | uint(b[i])<<7
			i++
		}
		loc := ids[id&(1<<14-1)]
		if loc == 0 {
			break
		}
		out[n] = LocationID(loc)
		n++
		read = i
	}
	return read, n
}
