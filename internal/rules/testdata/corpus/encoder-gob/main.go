// A gob encoder is made for every message and sends its types again.
package main

import (
	"encoding/gob"
	"io"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type message struct {
	From, To string
	Body     []byte
}

func send(w io.Writer, m *message) error {
	return gob.NewEncoder(w).Encode(m) // want: encoder
}

func main() {
	m := &message{"alice", "bob", []byte("hello")}
	harness.Run(func() {
		if err := send(io.Discard, m); err != nil {
			panic(err)
		}
	})
}
