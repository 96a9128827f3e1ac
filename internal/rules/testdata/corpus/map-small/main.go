// Many small maps of attributes, each grown past its first group.
package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func parse(line string) map[string]string {
	attrs := make(map[string]string)
	for pair := range strings.SplitSeq(line, ";") {
		k, v, _ := strings.Cut(pair, "=")
		attrs[k] = v // want: map-without-size
	}
	return attrs
}

var found int

func main() {
	var b strings.Builder
	for c := 'a'; c < 'a'+24; c++ {
		b.WriteString(";key-" + string(c) + "=value-" + string(c))
	}
	line := b.String()[1:]
	harness.Run(func() {
		for range 100 {
			found += len(parse(line)["key-c"])
		}
	})
}
