package clean

import (
	"errors"
	"sync"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

var (
	global *point
	cached *arena.Arena = arena.NewArena()
	last   *point
)

func cloned() string {
	a := arena.NewArena()
	defer a.Free()
	return arena.Clone(arena.String(a, "x"))
}

func promoted() *point {
	a := arena.NewArena()
	defer a.Free()
	return arena.Promote(arena.New[point](a))
}

func copied() string {
	a := arena.NewArena()
	defer a.Free()
	return string(arena.Bytes(a, []byte("x")))
}

func caller(a *arena.Arena) *point { return arena.New[point](a) }

func number() int {
	a := arena.NewArena()
	defer a.Free()
	return arena.New[point](a).X
}

func fromGlobal() { global = arena.New[point](cached) }

func callersArena(a *arena.Arena, p *point) { p.Next = arena.New[point](a) }

func within() int {
	a := arena.NewArena()
	defer a.Free()
	p := arena.New[point](a)
	p.Next = arena.New[point](a)
	return p.Next.X
}

func onHeap() int {
	a := arena.NewArena()
	defer a.Free()
	var p point
	p.Next = arena.New[point](a)
	return p.Next.X
}

func waits(c chan *point, done chan bool) {
	a := arena.NewArena()
	defer a.Free()
	c <- arena.New[point](a)
	<-done
}

func joined() {
	a := arena.NewArena()
	defer a.Free()
	p := arena.New[point](a)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		p.X = 1
	}()
	wg.Wait()
}

func taken(p *point) {
	a := arena.NewArena()
	defer a.Free()
	p.Next = arena.New[point](a)
	println(p.Next.X)
	p.Next = nil
}

func both() (*arena.Arena, *point) {
	a := arena.NewArena()
	return a, arena.New[point](a)
}

func length() (int, error) {
	a := arena.NewArena()
	defer a.Free()
	s := arena.MakeSlice[int](a, 3, 3)
	return len(s), nil
}

func replaced() {
	a := arena.NewArena()
	defer a.Free()
	last = arena.New[point](a)
	last = nil
}

func heapValue() *point {
	a := arena.NewArena()
	defer a.Free()
	arena.New[point](a)
	return &point{X: 1}
}

func withCleanup() func() {
	a := arena.NewArena()
	global = arena.New[point](a)
	return func() {
		global = nil
		a.Free()
	}
}

type owner struct {
	a    *arena.Arena
	name string
}

func freedOnError(o *owner, bad bool) error {
	a := arena.NewArena()
	o.name = arena.String(a, "x")
	if bad {
		a.Free()
		o.name = ""
		return errors.New("bad")
	}
	o.a = a
	return nil
}

func freedBefore(o *owner, bad bool) error {
	a := arena.NewArena()
	if bad {
		a.Free()
		return errors.New("bad")
	}
	o.a, o.name = a, arena.String(a, "x")
	return nil
}

func begunAgain(o *owner, a *arena.Arena) {
	a.Reset()
	o.name = arena.String(a, "x")
}

func sentOnSuccess(c chan *point, bad bool) {
	a := arena.NewArena()
	if bad {
		a.Free()
		return
	}
	c <- arena.New[point](a)
}

func startedOnSuccess(f func(*point), bad bool) {
	a := arena.NewArena()
	p := arena.New[point](a)
	if bad {
		a.Free()
		return
	}
	go f(p)
}

type list struct{ first, last *point }

func (l *list) add(a *arena.Arena) { l.last = arena.New[point](a) }

func localList() int {
	a := arena.NewArena()
	defer a.Free()
	var l list
	l.add(a)
	return l.last.X
}

func arenaList() int {
	a := arena.NewArena()
	defer a.Free()
	l := arena.New[list](a)
	l.add(a)
	return l.last.X
}

func (l *list) callersArena(a *arena.Arena) { l.add(a) }

func (l *list) begunAgain() {
	a := arena.NewArena()
	defer a.Free()
	l.add(a)
	l.first, l.last = nil, nil
}

type encoder struct {
	room *arena.Arena
	buf  []byte
	n    []int
}

func newEncoder(pool *arena.Pool) *encoder {
	room := pool.Get()
	e := &encoder{room: room, n: make([]int, 3)}
	e.buf = arena.MakeSlice[byte](room, 0, 64)
	return e
}

func (e *encoder) close() { e.room.Free() }

func encoded(pool *arena.Pool, text string) ([]byte, []int, int) {
	e := newEncoder(pool)
	defer e.close()
	e.buf = append(e.buf, text...)
	return arena.Clone(e.buf), e.n, len(e.buf)
}

type printer struct {
	room *arena.Arena
	text []byte
}

func newPrinter(pool *arena.Pool) *printer {
	room := pool.Get()
	p := &printer{room: room}
	p.text = arena.MakeSlice[byte](room, 0, 64)
	return p
}

func (p *printer) close() { p.room.Free() }

func (p *printer) finish() { p.text = []byte(string(p.text)) }

func printed(pool *arena.Pool) []byte {
	p := newPrinter(pool)
	defer p.close()
	p.text = append(p.text, 'x')
	p.finish()
	return p.text
}

type reader struct {
	room *arena.Arena
	line []byte
}

func newReader(pool *arena.Pool) *reader {
	room := pool.Get()
	r := &reader{room: room}
	r.line = arena.MakeSlice[byte](room, 0, 64)
	return r
}

func (r *reader) close() { r.room.Free() }

func (r *reader) next(text []byte) { r.line = text }

func readFrom(pool *arena.Pool, text []byte) []byte {
	r := newReader(pool)
	defer r.close()
	r.next(text)
	return r.line
}

type parser struct{ tree *point }

func (p *parser) begin(a *arena.Arena) { p.tree = arena.New[point](a) }

func (p *parser) end() { p.tree = nil }

func (p *parser) beginAndEnd() {
	a := arena.NewArena()
	defer a.Free()
	p.begin(a)
	p.end()
}

func throughInterface(p *parser, visit func(*parser)) {
	a := arena.NewArena()
	defer a.Free()
	p.begin(a)
	visit(p)
}

var current *point

func enter(a *arena.Arena) { current = arena.New[point](a) }

func leave() { current = nil }

func enterAndLeave() {
	a := arena.NewArena()
	defer a.Free()
	enter(a)
	defer leave()
}
