package profile

import "errors"

var (
	errVarint   = errors.New("a number is cut off or longer than 10 bytes")
	errLength   = errors.New("a field is longer than what contains it")
	errWireType = errors.New("a field has a type that profile.proto does not give it")
)

// Wire types of protobuf (protobuf.dev/programming-guides/encoding). Groups are
// long deprecated and refused, as google/pprof does.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// message reads the fields of one protobuf message in order:
//
//	for m.next() { switch m.field { … } }
//	if m.err != nil …
type message struct {
	rest  []byte
	field uint64
	kind  uint8
	num   uint64 // the value, if kind is wireVarint
	data  []byte // the value, if kind is wireBytes
	err   error
}

func (m *message) next() bool {
	if len(m.rest) == 0 || m.err != nil {
		return false
	}
	var tag uint64
	if tag = uint64(m.rest[0]); tag < 0x80 {
		m.rest = m.rest[1:]
	} else if tag, m.rest, m.err = uvarint(m.rest); m.err != nil {
		return false
	}
	m.field, m.kind = tag>>3, uint8(tag&7)
	switch m.kind {
	case wireVarint:
		m.num, m.rest, m.err = uvarint(m.rest)
	case wireBytes:
		var n uint64
		n, m.rest, m.err = uvarint(m.rest)
		if n > uint64(len(m.rest)) {
			m.err = errLength
		}
		if m.err != nil {
			return false
		}
		m.data, m.rest = m.rest[:n], m.rest[n:]
	case wireFixed64:
		m.skip(8)
	case wireFixed32:
		m.skip(4)
	default:
		m.err = errWireType
	}
	return m.err == nil
}

func (m *message) skip(n int) {
	if n > len(m.rest) {
		m.err = errLength
		return
	}
	m.rest = m.rest[n:]
}

// number returns the value of a field that must be a single number.
func (m *message) number() uint64 {
	if m.kind != wireVarint {
		m.err = errWireType
		return 0
	}
	return m.num
}

// flag returns the value of a bool field.
func (m *message) flag() uint32 {
	if m.number() != 0 {
		return 1
	}
	return 0
}

// bytes returns the value of a field that must be text or a message.
func (m *message) bytes() []byte {
	if m.kind != wireBytes {
		m.err = errWireType
		return nil
	}
	return m.data
}

// numbers appends the values of a repeated field, which a file may have packed
// into one field or not.
func (m *message) numbers(to []uint64) []uint64 {
	if m.kind != wireBytes {
		return append(to, m.number())
	}
	for data := m.data; len(data) > 0 && m.err == nil; {
		var x uint64
		x, data, m.err = uvarint(data)
		to = append(to, x)
	}
	return to
}

// uvarint reads a number from the front of b. Bits beyond the 64th are dropped,
// as the protobuf specification and google/pprof have it (encoding/binary calls
// them an error).
func uvarint(b []byte) (uint64, []byte, error) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), b[1:], nil
	}
	var x uint64
	for i := 0; i < 10 && i < len(b); i++ {
		x |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return x, b[i+1:], nil
		}
	}
	return 0, nil, errVarint
}
