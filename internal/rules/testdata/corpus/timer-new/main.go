// Each item gets a timer for its deadline that never comes.
package main

import (
	"time"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type queue struct{ items chan int }

func (q *queue) take(limit time.Duration) (int, bool) {
	timer := time.NewTimer(limit) // want: timer
	defer timer.Stop()
	select {
	case v := <-q.items:
		return v, true
	case <-timer.C:
		return 0, false
	}
}

var total int

func main() {
	q := &queue{make(chan int, 10)}
	harness.Run(func() {
		for i := range 100 {
			q.items <- i
			if v, ok := q.take(time.Hour); ok {
				total += v
			}
		}
	})
}
