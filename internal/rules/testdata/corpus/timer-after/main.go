// A loop that waits for its next message makes a timer each time round.
package main

import (
	"time"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func consume(in <-chan int, n int) (sum int) {
	for range n {
		select {
		case v := <-in:
			sum += v
		case <-time.After(time.Minute): // want: timer
			return -1
		}
	}
	return sum
}

var total int

func main() {
	in := make(chan int, 100)
	harness.Run(func() {
		for i := range 100 {
			in <- i
		}
		total += consume(in, 100)
	})
}
