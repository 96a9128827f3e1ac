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

// The lock of an element does not guard the arena of all.
type part struct {
	mu    sync.Mutex
	a     *arena.Arena
	names []string
}

type parts struct {
	a   *arena.Arena
	all [4]part
}

func (p *parts) add(i int, text string) {
	e := &p.all[i]
	e.mu.Lock()
	defer e.mu.Unlock()
	e.names = arena.Append(p.a, e.names, text) // want `each round of the loop starts a goroutine that uses the arena`
}

func (p *parts) addOwn(i int, text string) {
	e := &p.all[i]
	e.mu.Lock()
	defer e.mu.Unlock()
	e.names = arena.Append(e.a, e.names, text)
}

func fillParts(p *parts) {
	var wg sync.WaitGroup
	for i := range p.all {
		wg.Go(func() { p.add(i, "x") }) // want `this goroutine shares the arena p.a`
	}
	wg.Wait()
}

func fillOwn(p *parts) {
	var wg sync.WaitGroup
	for i := range p.all {
		wg.Go(func() { p.addOwn(i, "x") })
	}
	wg.Wait()
}
