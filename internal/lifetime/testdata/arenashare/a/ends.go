package a

import (
	"time"

	"github.com/heapwright/heapwright/arena"
)

func timed(pool *arena.Pool, text string) int {
	a := pool.Get()
	b := arena.Bytes(a, []byte(text))
	time.AfterFunc(time.Second, a.Free)
	time.Sleep(time.Second)
	return int(b[0]) // want `b, memory of an arena, is used here while the goroutine that began in line 12 may end the arena`
}

func stopped(pool *arena.Pool, text string) int {
	a := pool.Get()
	b := arena.Bytes(a, []byte(text))
	t := time.AfterFunc(time.Second, a.Free)
	if t.Stop() {
		defer a.Free()
		return int(b[0])
	}
	return 0
}
