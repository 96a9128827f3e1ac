package gctune

import (
	"bytes"
	"math"
)

// none is a control group's way to say that there is no limit: "max", or a
// number that no machine has, such as v1's 2^63-4096. Zero would allow no
// process at all and is read as none, too.
const none = math.MaxUint64

// parseLimit reads the content of memory.max, memory.high or
// memory.limit_in_bytes.
func parseLimit(b []byte) (uint64, bool) {
	b = bytes.TrimSpace(b)
	if string(b) == "max" {
		return none, true
	}
	n, ok := parseUint(b)
	if !ok {
		return none, false
	}
	if n == 0 || n >= 1<<60 {
		return none, true
	}
	return n, true
}

// parseUint reads all of b as decimal digits, saturating.
func parseUint(b []byte) (uint64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n > (math.MaxUint64-9)/10 {
			return math.MaxUint64, true
		}
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

// field returns the number that follows key at the beginning of a line, as in
// memory.stat ("file_dirty 4096") and meminfo ("MemTotal:   123 kB").
func field(b []byte, key string) (uint64, bool) {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, newline)
		b = rest
		if len(line) <= len(key) || string(line[:len(key)]) != key || line[len(key)] != ' ' && line[len(key)] != ':' {
			continue
		}
		line = bytes.TrimLeft(line[len(key):], ": ")
		if i := bytes.IndexByte(line, ' '); i >= 0 {
			line = line[:i]
		}
		return parseUint(line)
	}
	return 0, false
}

var newline = []byte{'\n'}
