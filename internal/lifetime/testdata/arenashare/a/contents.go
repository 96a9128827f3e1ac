package a

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

// The buffer and the map are used, and not the arena.
func tail(lines chan string, ticks chan bool, send func([]byte)) {
	a := arena.NewArena()
	defer a.Free()
	buf, done := arena.NewBuffer(a, 64), make(chan bool)
	go func() { // want `this goroutine shares the arena buf`
		buf.WriteString("begin")
		done <- true
	}()
	select {
	case <-ticks:
		send(buf.Bytes()) // want `buf, memory of an arena, is used here while the goroutine that began in line \d+ may use it`
		<-done
	case <-done:
		send(buf.Bytes())
	}
}

func lookup(name string) int {
	a := arena.NewArena()
	defer a.Free()
	counts := arena.NewMap[string, int](a, 8)
	var wg sync.WaitGroup
	wg.Go(func() { counts.Set(name, 1) }) // want `this goroutine shares the arena counts`
	n, _ := counts.Get("total")           // want `counts, memory of an arena, is used here`
	wg.Wait()
	return n
}
