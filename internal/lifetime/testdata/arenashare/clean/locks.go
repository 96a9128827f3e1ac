package clean

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/heapwright/heapwright/arena"
)

type site struct {
	mu      sync.Mutex
	pool    arena.Pool
	scratch *arena.Arena
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(w, arena.String(s.scratch, r.Host))
	s.scratch.Reset()
}

func (s *site) own(w http.ResponseWriter, r *http.Request) {
	a := s.pool.Get()
	defer a.Free()
	fmt.Fprintln(w, arena.String(a, r.Host))
}

func (s *site) ofRequest(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, arena.String(arena.FromContext(r.Context()), r.Host))
}

type table struct {
	mu sync.RWMutex
	a  *arena.Arena
	m  map[string]string
}

func (t *table) get(k string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.m[k]
}

func (t *table) set(k, v string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[arena.String(t.a, k)] = arena.String(t.a, v)
}

type batch struct {
	mu    sync.Mutex
	a     *arena.Arena
	timer *time.Timer
}

func newBatch() *batch {
	b := &batch{a: arena.NewArena()}
	b.timer = time.AfterFunc(time.Second, b.flush)
	return b
}

func (b *batch) add(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	arena.String(b.a, s)
}

func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.a.Reset()
}

func semaphore(a *arena.Arena, parts []string) {
	one := make(chan struct{}, 1)
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			one <- struct{}{}
			decode(a, part)
			<-one
		})
	}
	wg.Wait()
}

func closed(parts []string) int {
	a := arena.NewArena()
	defer a.Free()
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		decode(a, "x")
		out <- 1
	})
	go func() {
		wg.Wait()
		close(out)
	}()
	n := 0
	for i := range out {
		n += i
	}
	decode(a, "y")
	return n
}
