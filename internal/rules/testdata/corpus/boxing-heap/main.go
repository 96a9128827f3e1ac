// A priority queue of container/heap: each item goes through an interface.
package main

import (
	"container/heap"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type job struct {
	at   int64
	name string
}

type queue []job

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].at < q[j].at }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(job)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last // want: boxing
}

var sum int64

func main() {
	q := &queue{}
	for i := range 16 {
		*q = append(*q, job{int64(i), "start"})
	}
	harness.Run(func() {
		for range 1000 {
			j := heap.Pop(q).(job)
			sum += j.at
			j.at += int64(len(j.name)) * (j.at%7 + 1)
			*q = append(*q, j)
			heap.Fix(q, len(*q)-1)
		}
	})
}
