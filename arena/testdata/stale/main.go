// Command stale makes the mistake that its argument names, for the tests of the
// builds that find such mistakes.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type node struct {
	next  *node
	value int
}

var sink int

func main() {
	a := arena.NewArena()
	n := arena.New[node](a)
	b := arena.Bytes(a, []byte("0123456789abcdef"))
	switch os.Args[1] {
	case "fine":
		n.value = 1
		a.Reset()
		n = arena.New[node](a)
		n.value = 2
		a.Free()
	case "free":
		a.Free()
		sink = n.value // the use
	case "reset":
		a.Reset()
		arena.New[node](a)
		n.value = 1 // the use
		arena.New[node](a)
	case "bytes":
		a.Reset()
		b[3] = 'x' // the use
		arena.New[node](a)
	case "mark":
		m := a.Mark()
		n := arena.New[node](a)
		a.ResetTo(m)
		n.value = 1 // the use
		arena.New[node](a)
	case "goroutines":
		s := arena.NewSlab[node](a)
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for range 1000 {
					s.New() // the use
				}
			})
		}
		both.Wait()
	case "freed":
		a.Free()
		arena.New[node](a) // the use
	case "leak":
		if n, err := arena.WriteLeaks(os.Stdout); n != 1 || err != nil {
			panic(fmt.Sprint(n, err))
		}
	}
}
