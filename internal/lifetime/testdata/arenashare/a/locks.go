package a

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/heapwright/heapwright/arena"
)

type site struct{ scratch *arena.Arena }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := arena.New[point](s.scratch) // want `the handler runs in several goroutines at once, and all of them use the arena s.scratch`
	fmt.Fprintln(w, p.X)
}

func registered(mux *http.ServeMux, a *arena.Arena) {
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, arena.String(a, r.Host)) // want `the handler runs in several goroutines at once`
	})
}

type names struct {
	mu sync.RWMutex
	a  *arena.Arena
}

func (n *names) add(s string) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return arena.String(n.a, s) // want `a read lock lets several goroutines allocate in the arena n.a at once`
}

type halves struct {
	left, right sync.Mutex
	a           *arena.Arena
}

func (h *halves) one() {
	h.left.Lock()
	defer h.left.Unlock()
	arena.New[point](h.a) // want `the arena .* is used here while the goroutine that began in line \d+ may use it`
}

func (h *halves) other() {
	h.right.Lock()
	defer h.right.Unlock()
	arena.New[point](h.a)
}

func bothHalves(pool *arena.Pool) {
	h := &halves{a: pool.Get()}
	defer h.a.Free()
	var wg sync.WaitGroup
	wg.Go(h.other) // want `this goroutine shares the arena h.a`
	h.one()
	wg.Wait()
}

func sent(c chan *arena.Arena, done chan bool) {
	a := arena.NewArena()
	c <- a
	a.Reset() // want `the arena a is used here, but the goroutine that received it in line \d+ may use it`
	<-done
	a.Free()
}

type batch struct {
	mu    sync.Mutex
	a     *arena.Arena
	timer *time.Timer
}

func newBatch() *batch {
	b := &batch{a: arena.NewArena()}
	b.timer = time.AfterFunc(time.Second, b.flush) // want `this goroutine shares the arena b.a`
	return b
}

func (b *batch) add(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	arena.String(b.a, s)
}

func (b *batch) flush() {
	b.a.Reset() // want `a goroutine uses the arena .* without the lock under which others use it`
}

func counters(tick <-chan time.Time) int {
	a := arena.NewArena()
	p := arena.New[point](a)
	stop := make(chan int)
	go func() { // want `this goroutine shares the arena p`
		for {
			select {
			case <-tick:
				println(p.X)
			case <-stop:
				return
			}
		}
	}()
	for range 3 {
		p.X++ // want `p, memory of an arena, is used here while the goroutine that began in line \d+ may use it`
	}
	stop <- 1
	defer a.Free()
	return p.X
}
