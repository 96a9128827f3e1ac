package a

import (
	"errors"
	"fmt"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func straight() int {
	a := arena.NewArena() // want `the arena a is not freed on the path that ends at line \d+; defer a.Free\(\)`
	return arena.New[point](a).X
}

func pooled(p *arena.Pool) {
	a := p.Get() // want `not freed`
	arena.New[point](a)
}

func early(p *arena.Pool, x bool) error {
	a := p.Get() // want `not freed`
	if x {
		return errors.New("early")
	}
	a.Free()
	return nil
}

func oneBranch(x bool) {
	a := arena.NewArena() // want `not freed`
	if x {
		a.Free()
	} else {
		fmt.Println(arena.New[point](a))
	}
}

func switched(n int) {
	a := arena.NewArena() // want `not freed`
	switch n {
	case 1:
		a.Free()
	case 2:
		a.Free()
	}
}

func resetOnly() {
	a := arena.NewArena() // want `not freed`
	arena.New[point](a)
	a.Reset()
}

func overwritten() {
	a := arena.NewArena() // want `not freed`
	arena.New[point](a)
	a = arena.NewArena()
	a.Free()
}

func looped(parts []string) (n int) {
	for _, part := range parts {
		a := arena.NewArena() // want `not freed`
		n += len(arena.String(a, part))
	}
	return n
}

func breaks(parts []string) {
	for _, part := range parts {
		a := arena.NewArena() // want `not freed`
		if part == "" {
			break
		}
		a.Free()
	}
}

func continues(parts []string) {
	for _, part := range parts {
		a := arena.NewArena() // want `not freed`
		if part == "" {
			continue
		}
		a.Free()
	}
}

func byHelper() int {
	a := arena.NewArena() // want `not freed`
	return helper.Make(a).X
}

func byLocalHelper() int {
	a := arena.NewArena() // want `not freed`
	return sum(a)
}

func sum(a *arena.Arena) int { return arena.New[point](a).X + helper.Count(a) }

type server struct{ pool arena.Pool }

func (s *server) method(x int) (int, error) {
	a := s.pool.Get() // want `not freed`
	p := arena.New[point](a)
	if x < 0 {
		return 0, errors.New("negative")
	}
	p.X = x
	defer a.Free()
	return p.X, nil
}

func generic[T any](pool *arena.Pool) (v T) {
	a := pool.Get() // want `not freed`
	v = *arena.New[T](a)
	return v
}

func literal(pool *arena.Pool) func() {
	return func() {
		a := pool.Get() // want `not freed`
		arena.New[point](a)
	}
}

func nilCheck(pool *arena.Pool) {
	a := pool.Get() // want `not freed`
	if a != nil {
		arena.New[point](a)
	}
}

func conditional(pool *arena.Pool, keep bool) {
	a := pool.Get() // want `not freed`
	if !keep {
		defer a.Free()
	}
	arena.New[point](a)
}

func afterLoop(parts []string) error {
	a := arena.NewArena() // want `not freed`
	for _, part := range parts {
		if len(arena.String(a, part)) == 0 {
			return errors.New("empty")
		}
	}
	a.Free()
	return nil
}

func gone(x int) {
	a := arena.NewArena() // want `not freed`
	if x > 0 {
		goto done
	}
	a.Free()
done:
}

func selected(c chan int) {
	a := arena.NewArena() // want `not freed`
	select {
	case <-c:
		a.Free()
	default:
	}
}

type document struct {
	a    *arena.Arena
	root *point
}

func (d *document) Close() { d.a.Free() }

func construct(x bool) (*document, error) {
	a := arena.NewArena() // want `not freed`
	if x {
		return nil, errors.New("x")
	}
	return &document{a, arena.New[point](a)}, nil
}

func handsOver(c chan *arena.Arena, x bool) {
	a := arena.NewArena() // want `not freed`
	if !x {
		return
	}
	c <- a
}

// A tree is built in an arena that it does not own: nothing frees the field.
type tree struct {
	nodes *arena.Arena
	root  *point
}

func (t *tree) in(nodes *arena.Arena) *tree {
	t.nodes = nodes
	return t
}

func (t *tree) add() { t.root = arena.New[point](t.nodes) }

func parse(a *arena.Arena, text string) (*tree, error) {
	if text == "" {
		return nil, errors.New("empty")
	}
	t := &tree{nodes: a}
	t.add()
	return t, nil
}

func load(text string) (any, error) {
	a := arena.NewArena() // want `not freed`
	t, err := parse(a, text)
	if err != nil {
		return nil, err
	}
	x := t.root.X
	a.Free()
	return x, nil
}

type worker struct {
	room *arena.Arena
	n    int
}

func newWorker(pool *arena.Pool) *worker {
	room := pool.Get()
	w := arena.New[worker](room)
	w.room, w.n = room, 1
	return w
}

func (w *worker) run() int { return w.n }

func (w *worker) stop() { w.room.Free() }

func works(pool *arena.Pool) int {
	w := newWorker(pool) // want `the arena of w is not freed on the path that ends at line \d+; defer w.stop\(\)`
	return w.run()
}

func worksOnOnePath(pool *arena.Pool, x bool) int {
	w := newWorker(pool) // want `the arena of w is not freed`
	if x {
		return 0
	}
	defer w.stop()
	return w.run()
}
