package main

import (
	"encoding/binary"
	"io"
)

// summary holds the figures of one service that print writes.
type summary struct {
	names []string
	check io.Writer // gets every call
	self  map[symbol]int64
	calls int
}

// visit takes in the calls below n, which is depth calls deep.
func (s *summary) visit(n *node, depth int) {
	for c := n.child; c != nil; c = c.sibling {
		s.calls++
		s.self[c.function] += c.self
		var line [16]byte
		binary.LittleEndian.PutUint64(line[:8], uint64(depth))
		binary.LittleEndian.PutUint64(line[8:], uint64(c.self))
		s.check.Write(line[:])
		io.WriteString(s.check, s.names[c.function])
		s.visit(c, depth+1)
	}
}

// hottest returns the function with the largest value of its own, the first by
// name where there are several, and the value of all.
func (s *summary) hottest() (name string, value, total int64) {
	for f, v := range s.self {
		total += v
		if n := s.names[f]; v > value || v == value && n < name {
			name, value = n, v
		}
	}
	return name, value, total
}
