package clean

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

func lockedContents(name string) int {
	a := arena.NewArena()
	defer a.Free()
	counts := arena.NewMap[string, int](a, 8)
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		counts.Set(name, 1)
	})
	mu.Lock()
	n, _ := counts.Get("total")
	mu.Unlock()
	wg.Wait()
	return n
}

func bothRead(name string) int {
	a := arena.NewArena()
	defer a.Free()
	counts := arena.NewMap[string, int](a, 8)
	counts.Set(name, 1)
	var wg sync.WaitGroup
	wg.Go(func() { counts.Get(name) })
	n, _ := counts.Get("total")
	wg.Wait()
	return n
}
