// Subscribers that nobody closes wait for messages, each with its buffer.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type subscriber struct {
	in  chan []byte
	buf []byte
}

func (s *subscriber) loop() {
	for m := range s.in { // want: goroutine-leak
		s.buf = append(s.buf[:0], m...)
	}
}

func subscribe() *subscriber {
	s := &subscriber{in: make(chan []byte, 1), buf: make([]byte, 0, 4096)}
	go s.loop()
	return s
}

func main() {
	message := []byte("hello")
	harness.Run(func() {
		for range 10 {
			s := subscribe()
			s.in <- message
			spin(len(message))
		}
	})
}

var spun int

func spin(n int) {
	for i := range 50000 {
		spun += i ^ n
	}
}
