// The events of a request are linked up, counted and forgotten.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type event struct {
	kind, at int
	next     *event
}

type trace struct{ head *event }

func (t *trace) add(kind, at int) {
	t.head = &event{kind, at, t.head} // want: short-lived
}

func request(n int) (cost int) {
	var t trace
	for i := range n {
		t.add(i%7, i)
	}
	for e := t.head; e != nil; e = e.next {
		cost += e.kind
	}
	return cost
}

var total int

func main() {
	harness.Run(func() { total += request(2000) })
}
