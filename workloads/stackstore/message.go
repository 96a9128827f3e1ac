package main

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// message reads the fields of a protobuf message one after the other:
//
//	m := message{rest: data}
//	for m.next() {
//		switch m.number { … }
//	}
//	return m.err
type message struct {
	rest   []byte
	number protowire.Number // the number of the field read last
	value  uint64           // if it is a number
	bytes  []byte           // if it is a message, a string or packed numbers
	err    error
}

// next reads a field, and returns false at the end or where the message is
// damaged. The messages of a profile have only numbers and bytes.
func (m *message) next() bool {
	if m.err != nil || len(m.rest) == 0 {
		return false
	}
	number, kind, n := protowire.ConsumeTag(m.rest)
	if n >= 0 {
		m.number, m.bytes, m.rest = number, nil, m.rest[n:]
		switch kind {
		case protowire.VarintType:
			m.value, n = protowire.ConsumeVarint(m.rest)
		case protowire.BytesType:
			m.bytes, n = protowire.ConsumeBytes(m.rest)
		default:
			n = protowire.ConsumeFieldValue(number, kind, m.rest)
		}
	}
	if n < 0 {
		m.err = damaged(n)
		return false
	}
	m.rest = m.rest[n:]
	return true
}

// numbers appends the numbers of a repeated field, packed or not, to all.
func (m *message) numbers(all []uint64) []uint64 {
	if m.bytes == nil {
		return append(all, m.value)
	}
	for b := m.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			m.err = damaged(n)
			break
		}
		all, b = append(all, v), b[n:]
	}
	return all
}

func damaged(n int) error {
	return fmt.Errorf("not an uncompressed profile, or damaged: %w", protowire.ParseError(n))
}
