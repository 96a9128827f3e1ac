// A query string grows in a strings.Builder that was given no length.
package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func query(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name) // want: append-without-room
		b.WriteByte('&')
	}
	return b.String()
}

var length int

func main() {
	names := strings.Fields(strings.Repeat("filter=all-of-them-with-a-long-name sort=by-the-last-change page=1234567890123 ", 30))
	harness.Run(func() { length += len(query(names)) })
}
