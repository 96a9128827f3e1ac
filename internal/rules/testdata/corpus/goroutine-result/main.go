// Whoever gives up waiting leaves the worker behind, for ever, with its answer.
package main

import (
	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func fetch(id int) []byte {
	data := make([]byte, 2048)
	for i := range data {
		data[i] = byte(id * i)
	}
	return data
}

func first(id int, give bool) (n int) {
	result := make(chan []byte)
	go func() {
		data := fetch(id)
		result <- data // want: goroutine-leak
	}()
	if give {
		n = len(<-result)
	}
	return n
}

var total int

func main() {
	id := 0
	harness.Run(func() {
		for range 20 {
			id++
			total += first(id, id%5 != 0)
			total += work(id)
		}
	})
}

func work(n int) (sum int) {
	for i := range 20000 {
		sum += i ^ n
	}
	return sum & 1
}
