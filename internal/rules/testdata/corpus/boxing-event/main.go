// Numbers are sent to a bus that takes anything.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type bus struct{ handlers []func(topic string, v any) }

func (b *bus) publish(topic string, v any) {
	for _, h := range b.handlers {
		h(topic, v)
	}
}

type sample struct {
	value, weight float64
	sensor        int
}

func measure(b *bus, n int) {
	for i := range n {
		s := sample{float64(i), 0.5, i}
		b.publish("temperature", s) // want: boxing
	}
}

var last any

func main() {
	b := &bus{}
	b.handlers = append(b.handlers, func(_ string, v any) { last = v })
	harness.Run(func() { measure(b, 1000) })
}
