// A fixed set of workers takes batches from a channel and gives them back.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type batch struct {
	in  [1024]uint32
	sum uint64
}

func worker(in <-chan *batch, out chan<- *batch) {
	for b := range in {
		b.sum = 0
		for round := range uint64(20) {
			for _, v := range b.in {
				b.sum = b.sum*31 + uint64(v) ^ round
			}
		}
		out <- b
	}
}

var total uint64

func main() {
	in, out := make(chan *batch, 4), make(chan *batch, 4)
	for range 2 {
		go worker(in, out)
	}
	for i := range 4 {
		b := &batch{}
		for j := range b.in {
			b.in[j] = uint32(i * j)
		}
		in <- b
	}
	harness.Run(func() {
		b := <-out
		total += b.sum
		in <- b
	})
}
