package a

import (
	"sync"
	"time"

	"github.com/heapwright/heapwright/arena"
)

// The goroutine of a constructor runs beside the methods.
type recorder struct {
	a    *arena.Arena
	all  []string
	done chan int
}

func newRecorder() *recorder {
	r := &recorder{a: arena.NewArena(), done: make(chan int)}
	go r.flush() // want `this goroutine shares the arena`
	return r
}

func (r *recorder) flush() {
	for range 9 {
		time.Sleep(time.Second)
		r.a.Reset() // want `a goroutine uses the arena r.a beside the methods`
	}
}

func (r *recorder) Add(text string) { r.all = append(r.all, arena.String(r.a, text)) }

// A goroutine that ends before the constructor returns does not.
type warmed struct {
	a *arena.Arena
}

func newWarmed() *warmed {
	w := &warmed{a: arena.NewArena()}
	var wg sync.WaitGroup
	wg.Go(func() { arena.String(w.a, "warm") })
	wg.Wait()
	return w
}

func (w *warmed) Add(text string) string { return arena.String(w.a, text) }

// One method holds the lock and another one does not.
type guarded struct {
	mu sync.Mutex
	a  *arena.Arena
}

func (g *guarded) Add(text string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(text)
}

func (g *guarded) add(text string) string { return arena.String(g.a, text) }

func (g *guarded) Report() string {
	return arena.String(g.a, "report") // want `without the lock under which other methods use it`
}
