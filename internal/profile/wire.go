package profile

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var (
	errVarint   = errors.New("a number is cut off or longer than 10 bytes")
	errLength   = errors.New("a field is longer than the message around it")
	errField    = errors.New("a field has a number that protobuf does not allow")
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

// maxField is the largest field number that protobuf allows.
const maxField = 1<<29 - 1

// message reads the fields of one protobuf message in order:
//
//	for m.next() { switch m.field() { … } }
//	if m.err != nil …
//
// An error is kept and does not end the loop at once. Reading on is harmless, and
// checking less often makes decoding faster.
type message struct {
	b   []byte
	at  int // the next field begins here
	tag uint64
	num uint64 // the value of a number, the length of text or a message
	err error
}

func (m *message) next() bool {
	b, i := m.b, m.at
	// Most tags and nearly all lengths and numbers take one byte.
	if i+1 < len(b) && b[i]&0x85 == 0 && b[i] >= 1<<3 && b[i+1] < 0x80 {
		m.tag, m.num = uint64(b[i]), uint64(b[i+1])
		end := i + 2 + int(b[i+1]&-(b[i]>>1&1)) // a number has nothing to follow
		if end <= len(b) {
			m.at = end
			return true
		}
		return m.fail(errLength)
	}
	return m.nextLong()
}

// nextLong is next for fields of any kind and size.
func (m *message) nextLong() bool {
	b, i := m.b, m.at
	if i >= len(b) {
		return false
	}
	tag, i := uvarint(b, i)
	if i < 0 {
		return m.fail(errVarint)
	}
	if m.tag, m.num = tag, 0; tag>>3 == 0 || tag>>3 > maxField {
		return m.fail(errField)
	}
	switch tag & 7 {
	case wireVarint:
		if m.num, m.at = uvarint(b, i); m.at < 0 {
			return m.fail(errVarint)
		}
		return true
	case wireBytes:
		if m.num, i = uvarint(b, i); i < 0 {
			return m.fail(errVarint)
		}
	case wireFixed64:
		m.num = 8
	case wireFixed32:
		m.num = 4
	default:
		return m.fail(errWireType)
	}
	if m.num > uint64(len(b)-i) {
		return m.fail(errLength)
	}
	m.at = i + int(m.num)
	return true
}

// fail keeps the first error and returns false.
func (m *message) fail(err error) bool {
	if m.err == nil {
		m.err = err
	}
	return false
}

func (m *message) field() uint64 { return m.tag >> 3 }

// number returns the value of a field that must be a single number.
func (m *message) number() uint64 {
	if m.tag&7 != wireVarint {
		m.fail(errWireType)
		return 0
	}
	return m.num
}

// bytes returns the value of a field that must be text or a message.
func (m *message) bytes() []byte {
	if m.tag&7 != wireBytes {
		m.fail(errWireType)
		return nil
	}
	return m.b[m.at-int(m.num) : m.at]
}

// numbers appends the values of a repeated field, which a file may have packed
// into one field or not.
func (m *message) numbers(to []uint64) []uint64 {
	if m.tag&7 != wireBytes {
		return append(to, m.number())
	}
	to, ok := packed(m.b[:m.at], m.at-int(m.num), to)
	if !ok {
		m.fail(errVarint)
	}
	return to
}

// packed appends the numbers from b[i] to the end of b and reports false where one
// is malformed.
func packed(b []byte, i int, to []uint64) ([]uint64, bool) {
	for i < len(b) {
		x := uint64(b[i])
		i++
		if x >= 0x80 {
			if x, i = uvarint(b, i-1); i < 0 {
				return to, false
			}
		}
		to = append(to, x)
	}
	return to, true
}

// shortField returns where the value of the field at b[i] begins and ends if its
// tag is that one byte, which says that it has a length, and the length takes one
// or two bytes; otherwise to is 0.
func shortField(b []byte, i int, tag byte) (from, to int) {
	if i+2 > len(b) || b[i] != tag {
		return 0, 0
	}
	n := int(b[i+1])
	i += 2
	if n >= 0x80 {
		if i >= len(b) || b[i] >= 0x80 {
			return 0, 0
		}
		n = n&0x7f | int(b[i])<<7
		i++
	}
	if n > len(b)-i {
		return 0, 0
	}
	return i, i + n
}

// scalars reads a message whose fields are single numbers into out, by field
// number from 1; a field that is not there is left alone, and of one that comes
// twice the last counts. Fields beyond out are skipped.
func scalars(b []byte, out []uint64) error {
	for i := 0; i < len(b); {
		if tag := b[i]; tag&0x87 == wireVarint && tag >= 1<<3 && i+1 < len(b) && int(tag>>3) < len(out) { // a short tag
			x := uint64(b[i+1])
			if i += 2; x >= 0x80 {
				if x, i = uvarint(b, i-1); i < 0 {
					return errVarint
				}
			}
			out[tag>>3] = x
			continue
		}
		m := message{b: b, at: i}
		if m.next() && m.field() < uint64(len(out)) {
			out[m.field()] = m.number()
		}
		if m.err != nil {
			return m.err
		}
		i = m.at
	}
	return nil
}

// uvarint reads a number at b[i] and returns where the next byte is, or -1 where
// it is cut off or too long. Bits beyond the 64th are dropped, as the protobuf
// specification and google/pprof have it (encoding/binary calls them an error).
func uvarint(b []byte, i int) (uint64, int) {
	if i+8 <= cap(b) { // the bytes after a message may be looked at, if not used
		if x, n := varint8(binary.LittleEndian.Uint64(b[i : i+8])); n <= 8 {
			if i+n > len(b) {
				return 0, -1
			}
			return x, i + n
		}
	}
	return longUvarint(b, i)
}

// continued are the bits of bytes after which a number continues.
const continued = 0x8080_8080_8080_8080

// varint8 reads the number that a word begins with and returns how many bytes it
// takes; more than 8 where it continues beyond the word.
func varint8(x uint64) (uint64, int) {
	last := ^x & continued
	x &= last ^ (last - 1) // up to the end of its last byte
	x = x&0x007f_007f_007f_007f | x&0x7f00_7f00_7f00_7f00>>1
	x = x&0x0000_3fff_0000_3fff | x&0x3fff_0000_3fff_0000>>2
	x = x&0x0000_0000_0fff_ffff | x&0x0fff_ffff_0000_0000>>4
	return x, bits.TrailingZeros64(last)/8 + 1
}

// longUvarint is uvarint for numbers of any length, at the end of b too.
func longUvarint(b []byte, i int) (uint64, int) {
	var x uint64
	for shift := 0; shift < 70 && i < len(b); shift += 7 {
		c := b[i]
		i++
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x, i
		}
	}
	return 0, -1
}
