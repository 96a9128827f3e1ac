// The handler of a connection is a method value made for every message.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type conn struct{ received, bytes int }

func (c *conn) onMessage(m []byte) {
	c.received++
	c.bytes += len(m)
}

type dispatcher struct{ handler func([]byte) }

func (d *dispatcher) dispatch(m []byte) { d.handler(m) }

func (c *conn) read(d *dispatcher, messages [][]byte) {
	for _, m := range messages {
		d.handler = c.onMessage // want: closure
		d.dispatch(m)
	}
}

func main() {
	c, d := &conn{}, &dispatcher{}
	messages := make([][]byte, 1000)
	for i := range messages {
		messages[i] = []byte("hello")
	}
	harness.Run(func() { c.read(d, messages) })
}
