// Package nearlimit keeps eight bytes of each line that it has read, and with
// them, as parts of it, all of the line: some 60 MB. Where not much more memory
// is allowed than that takes, there is no room for a floor; copying the part is
// what helps.
package nearlimit

import (
	"strings"
	"testing"
)

const (
	lines  = 15_000
	length = 4 << 10
)

var ids = make([]string, lines)

// read makes a line as a reader does.
func read(i int) string {
	var b strings.Builder
	b.Grow(length)
	for b.Len() < length {
		b.WriteByte('a' + byte((i+b.Len())%26))
	}
	return b.String()
}

// keep remembers the line's head.
func keep(i int) {
	line := read(i)
	ids[i%lines] = line[:8] // best answer
}

func init() {
	for i := range lines {
		keep(i)
	}
}

func BenchmarkKeep(b *testing.B) {
	i := 0
	for b.Loop() {
		i++
		keep(i)
	}
}
