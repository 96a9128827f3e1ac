// Each small piece of work starts a goroutine of its own.
package main

import (
	"sync"
	"sync/atomic"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func sum(parts [][]int) int64 {
	var total atomic.Int64
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Add(1)
		go func() { // want: closure
			defer wg.Done()
			s := 0
			for _, v := range p {
				s += v
			}
			total.Add(int64(s))
		}()
	}
	wg.Wait()
	return total.Load()
}

var all int64

func main() {
	parts := make([][]int, 500)
	for i := range parts {
		parts[i] = []int{i, i + 1, i + 2}
	}
	harness.Run(func() { all += sum(parts) })
}
