package clean

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

func decode(a *arena.Arena, part string) { arena.String(a, part) }

func pooled(pool *arena.Pool, parts []string) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			a := pool.Get()
			defer a.Free()
			decode(a, part)
		})
	}
	wg.Wait()
}

func own(parts []string) {
	for _, part := range parts {
		a := arena.NewArena()
		go func() {
			defer a.Free()
			decode(a, part)
		}()
	}
}

func waits(a *arena.Arena) {
	var wg sync.WaitGroup
	wg.Go(func() { decode(a, "x") })
	wg.Wait()
	decode(a, "y")
}

func received(a *arena.Arena) {
	done := make(chan bool)
	go func() {
		decode(a, "x")
		close(done)
	}()
	<-done
	decode(a, "y")
}

func locked(a *arena.Arena, parts []string) {
	var mu sync.Mutex
	for _, part := range parts {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			decode(a, part)
		}()
	}
}

func handedOver(pool *arena.Pool) {
	a := pool.Get()
	decode(a, "x")
	go func() {
		defer a.Free()
		decode(a, "y")
	}()
}

func oneAtATime(a *arena.Arena, parts []string) {
	done := make(chan bool)
	for _, part := range parts {
		go func() {
			decode(a, part)
			done <- true
		}()
		<-done
	}
}

func either(a *arena.Arena, x bool) {
	if x {
		go decode(a, "x")
		return
	}
	decode(a, "y")
}

func once(a *arena.Arena, parts []string) {
	for _, part := range parts {
		if part == "" {
			go decode(a, part)
			return
		}
	}
}

func before(pool *arena.Pool) {
	a := pool.Get()
	defer a.Free()
	decode(a, "x")
	go println("x")
	decode(a, "y")
}

func pipeline(in chan string) {
	a := arena.NewArena()
	go func() {
		defer a.Free()
		for part := range in {
			decode(a, part)
		}
	}()
	in <- "x"
}

func use(a *arena.Arena) {
	defer a.Free()
	arena.String(a, "x")
}

func replaced(pool *arena.Pool) {
	a := pool.Get()
	go use(a)
	a = pool.Get()
	arena.String(a, "y")
	a.Free()
}

func replacedInLoop(pool *arena.Pool, parts []string) {
	a := pool.Get()
	for range parts {
		go use(a)
		a = pool.Get()
	}
	a.Free()
}

func begunInLoop(pool *arena.Pool, parts []string) {
	var a *arena.Arena
	for range parts {
		a = pool.Get()
		go use(a)
	}
}

type guarded struct {
	mu   sync.Mutex
	room *arena.Arena
}

func newGuarded(pool *arena.Pool) *guarded {
	room := pool.Get()
	return &guarded{room: room}
}

func (g *guarded) close() { g.room.Free() }

func (g *guarded) add(part string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	decode(g.room, part)
}

func guards(pool *arena.Pool, parts []string) {
	g := newGuarded(pool)
	defer g.close()
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() { g.add(part) })
	}
	wg.Wait()
}
