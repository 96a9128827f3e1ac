package a

import (
	"container/heap"
	"context"
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

type signal struct {
	name  string
	level int
}

type sink interface{ Emit(*signal) }

type memorySink struct{ all []*signal }

func (m *memorySink) Emit(s *signal) { m.all = append(m.all, s) }

type counter struct{ n int }

func (c *counter) Emit(*signal) { c.n++ }

type source struct {
	pool arena.Pool
	sink sink
}

func newSource() *source { return &source{sink: &memorySink{}} }

func (s *source) signal() {
	a := s.pool.Get()
	defer a.Free()
	s.sink.Emit(arena.New[signal](a)) // want `Emit keeps memory of the arena a`
}

type summary interface{ Sum(*signal) int }

type levels struct{ n int }

func (l *levels) Sum(s *signal) int { l.n += s.level; return l.n }

type summed struct{ summary summary }

func newSummed() *summed { return &summed{&levels{}} }

func (s *summed) add(p *arena.Pool) int {
	a := p.Get()
	defer a.Free()
	return s.summary.Sum(arena.New[signal](a))
}

type waiting []*signal

func (q waiting) Len() int           { return len(q) }
func (q waiting) Less(i, j int) bool { return q[i].level < q[j].level }
func (q waiting) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *waiting) Push(x any)        { *q = append(*q, x.(*signal)) }
func (q *waiting) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

type scheduler struct{ queue waiting }

func (s *scheduler) add(p *arena.Pool) {
	a := p.Get()
	defer a.Free()
	heap.Push(&s.queue, arena.New[signal](a)) // want `keeps memory of the arena a|memory of the arena a is kept`
}

func localHeap(p *arena.Pool, n int) int {
	a := p.Get()
	defer a.Free()
	var q waiting
	for range n {
		heap.Push(&q, arena.New[signal](a))
	}
	return heap.Pop(&q).(*signal).level
}

type failure struct{ s *signal }

func (f *failure) Error() string { return f.s.name }

func cancelled(cancel context.CancelCauseFunc, p *arena.Pool) {
	a := p.Get()
	defer a.Free()
	cancel(&failure{arena.New[signal](a)}) // want `keeps? .*memory of the arena a|memory of the arena a is kept`
}

func redirected(p *arena.Pool, w http.ResponseWriter, r *http.Request, name string) {
	a := p.Get()
	defer a.Free()
	w.Header().Add("X-Name", arena.Concat(a, name, "!")) // want `memory of the arena a is kept`
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
