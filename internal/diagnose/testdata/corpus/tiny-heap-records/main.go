// Small answers from a small table: hardly anything lives, and the collector never rests.
package main

import (
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose/testdata/corpus/harness"
)

// want program: frequent-gc
type answer struct {
	id   int
	name string
	tags []string
}

func ask(id int) *answer {
	return &answer{id: id, name: strings.ToUpper("customer-" + strconv.Itoa(id))}
}

func (a *answer) tag(words string) {
	for w := range strings.SplitSeq(words, ",") {
		a.tags = append(a.tags, strings.Repeat(w, 2))
	}
}

func (a *answer) size() int { return len(strings.Join(a.tags, " ")) + len(a.name) + a.id }

var total int

func main() {
	harness.Run(func() {
		for id := range 100 {
			a := ask(id)
			a.tag("one,two,three")
			total += a.size()
		}
	})
}
