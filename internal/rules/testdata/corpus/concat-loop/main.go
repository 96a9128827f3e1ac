// A line is joined by += and copied with every field.
package main

import (
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func row(fields []string) string {
	line := ""
	for _, f := range fields {
		line += f + "," // want: string-concatenation
	}
	return line
}

func main() {
	fields := strings.Fields(strings.Repeat("field another-field one-more ", 10))
	harness.Run(func() {
		if _, err := io.WriteString(io.Discard, row(fields)); err != nil {
			panic(err)
		}
	})
}
