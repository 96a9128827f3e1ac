package clean

import (
	"context"
	"errors"
	"log"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func deferred() int {
	a := arena.NewArena()
	defer a.Free()
	return arena.New[point](a).X
}

func deferredClosure() int {
	a := arena.NewArena()
	defer func() {
		a.Free()
	}()
	return arena.New[point](a).X
}

func allPaths(x bool) error {
	a := arena.NewArena()
	if x {
		a.Free()
		return errors.New("x")
	}
	a.Free()
	return nil
}

func returned() *arena.Arena {
	a := arena.NewArena()
	arena.New[point](a)
	return a
}

type holder struct{ a *arena.Arena }

func stored(h *holder) {
	a := arena.NewArena()
	h.a = a
}

func inLiteral() holder {
	a := arena.NewArena()
	return holder{a: a}
}

func sent(c chan *arena.Arena) {
	a := arena.NewArena()
	c <- a
}

func captured() func() {
	a := arena.NewArena()
	return func() { a.Free() }
}

func kept() {
	a := arena.NewArena()
	helper.Keep(a)
}

func freedByHelper() {
	a := arena.NewArena()
	helper.Finish(a)
}

func panics(x bool) {
	a := arena.NewArena()
	if x {
		panic("x")
	}
	a.Free()
}

func exits(x bool) {
	a := arena.NewArena()
	if x {
		log.Fatal("x")
	}
	a.Free()
}

func unknown(f func(*arena.Arena)) {
	a := arena.NewArena()
	f(a)
}

func goroutine(done chan bool) {
	a := arena.NewArena()
	go func() {
		defer a.Free()
		<-done
	}()
}

func inContext(ctx context.Context, next func(context.Context)) {
	a := arena.NewArena()
	defer a.Free()
	next(arena.NewContext(ctx, a))
}

func rounds(parts []string) {
	for range parts {
		a := arena.NewArena()
		arena.New[point](a)
		a.Free()
	}
}

func inMap(m map[int]*arena.Arena) {
	a := arena.NewArena()
	m[0] = a
}

func variable() {
	var a = arena.NewArena()
	defer a.Free()
}

func methodValue() func() {
	a := arena.NewArena()
	arena.New[point](a)
	return a.Free
}

func unlessNil(p *arena.Pool) {
	a := p.Get()
	if a != nil {
		a.Free()
	}
}

func nilFirst(p *arena.Pool) error {
	a := p.Get()
	if a == nil {
		return errors.New("no arena")
	}
	a.Free()
	return nil
}

func nilAndMore(p *arena.Pool, x bool) {
	a := p.Get()
	if a == nil || x {
		a.Free()
		return
	}
	a.Free()
}

func keptIf(h *holder, x bool) {
	a := arena.NewArena()
	if x {
		h.a = a
	}
	arena.New[point](a)
	if !x {
		a.Free()
	}
}

func cleanup(x bool) (func(), error) {
	var a *arena.Arena
	done := func() { a.Free() }
	a = arena.NewArena()
	if x {
		done()
		return nil, errors.New("x")
	}
	return done, nil
}

// A doc keeps its arena until the collector takes both.
type doc struct {
	nodes *arena.Arena
	root  *point
}

func newDoc(a *arena.Arena) *doc { return &doc{a, arena.New[point](a)} }

func open(x bool) (*doc, error) {
	a := arena.NewArena()
	d := newDoc(a)
	if d.root.X < 0 {
		a.Free()
		return nil, errors.New("x")
	}
	return d, nil
}

func (d *doc) in(a *arena.Arena) { d.nodes = a }

func (d *doc) forEver() {
	a := arena.NewArena()
	d.in(a)
}

type conn struct{ requests *arena.Arena }

func newConn(pool *arena.Pool) *conn {
	requests := pool.Get()
	return &conn{requests: requests}
}

func (c *conn) close() error {
	c.requests.Free()
	return nil
}

func (c *conn) serve() { arena.New[point](c.requests) }

func served(pool *arena.Pool) {
	c := newConn(pool)
	defer c.close()
	c.serve()
}

func handedTo(pool *arena.Pool, conns chan *conn) {
	c := newConn(pool)
	c.serve()
	conns <- c
}

func inGoroutine(pool *arena.Pool) {
	c := newConn(pool)
	go func() {
		c.serve()
		c.close()
	}()
}

func conns(pool *arena.Pool) *conn {
	c := newConn(pool)
	c.serve()
	return c
}

type set struct{ docs []*doc }

func (s *set) add(text string) error {
	a := arena.NewArena()
	d, err := parse(a, text)
	if err != nil {
		a.Free()
		return err
	}
	s.docs = append(s.docs, d)
	if text == "last" {
		return errors.New("full")
	}
	return nil
}

func parse(a *arena.Arena, text string) (*doc, error) {
	if text == "" {
		return nil, errors.New("empty")
	}
	return newDoc(a), nil
}

func (c *conn) start() { go c.loop() }

func (c *conn) loop() {
	defer c.close()
	c.serve()
}

func started(pool *arena.Pool) {
	c := newConn(pool)
	c.start()
}

func (c *conn) finish() { c.close() }

func finished(pool *arena.Pool) {
	c := newConn(pool)
	c.serve()
	c.finish()
}

var open2 []*conn

func (c *conn) register() { open2 = append(open2, c) }

func registered(pool *arena.Pool) {
	c := newConn(pool)
	c.register()
}

// A nil pool stands for the heap.
func fromNilPool(n int) int {
	var none *arena.Pool
	words := arena.MakeSlice[int](none.Get(), 0, n)
	return cap(words)
}
