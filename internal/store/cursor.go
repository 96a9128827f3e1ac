package store

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("damaged: it ends too early")

// cursor reads a value from its beginning. After an error it returns zeros.
type cursor struct {
	rest []byte
	err  error
}

func (c *cursor) uint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) int() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// count reads the length of a list whose entries take at least one byte each.
func (c *cursor) count() int {
	n := c.uint()
	if n > uint64(len(c.rest)) {
		c.fail()
		return 0
	}
	return int(n)
}

func (c *cursor) text() string {
	n := c.count()
	s := string(c.rest[:n])
	c.rest = c.rest[n:]
	return s
}

func (c *cursor) fail() { c.rest, c.err = nil, errShort }

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
