// A heap of next to nothing that is collected hundreds of times a second.
package main

import (
	"strings"
	"unicode"

	"github.com/heapwright/heapwright/internal/diagnose/testdata/corpus/harness"
)

// want program: frequent-gc
type doc struct {
	title string
	words []string
	upper string
}

func parse(text string) *doc {
	title, rest, _ := strings.Cut(text, "\n")
	return &doc{strings.ToUpper(title), strings.Fields(rest), strings.Map(unicode.ToTitle, title)}
}

func (d *doc) score() (n int) {
	for _, w := range d.words {
		for _, c := range strings.Split(w, "-") {
			n += len(strings.ToLower(c))
		}
	}
	return n + len(d.upper)
}

var total int

func main() {
	text := "the title\n" + strings.Repeat("well-known Words-of-a-Text ", 20)
	harness.Run(func() { total += parse(text).score() })
}
