// Package nearlimit keeps a substring of eight bytes of each line that it has
// read. The substrings retain the whole lines: some 60 MB. If the memory limit is
// only a little above that, there is no room for a heap floor. The remedy is to
// copy the substring.
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
