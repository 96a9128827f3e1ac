package a

import (
	"errors"
	"fmt"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func pointer(a *arena.Arena) int {
	p := arena.New[point](a)
	a.Free()
	return p.X // want `p is used after a.Free \(line \d+\), which ended its memory`
}

func slice(a *arena.Arena) int {
	s := arena.MakeSlice[int](a, 3, 3)
	a.Reset()
	return s[0] // want `s is used after a.Reset`
}

func text() string {
	a := arena.NewArena()
	s := arena.String(a, "text")
	a.Free()
	return s // want `s is used after a.Free`
}

func bytes(p *arena.Pool) {
	a := p.Get()
	b := arena.Bytes(a, []byte("x"))
	a.Free()
	fmt.Println(b) // want `b is used after`
}

func double(a *arena.Arena) {
	a.Free()
	a.Free() // want `the arena a is used after its Free`
}

func again(a *arena.Arena) *point {
	a.Free()
	return arena.New[point](a) // want `the arena a is used after its Free`
}

func sub(a *arena.Arena) byte {
	b := arena.Bytes(a, []byte("abc"))
	c := b[1:]
	a.Free()
	return c[0] // want `c is used after`
}

func alias(a *arena.Arena) int {
	p := arena.New[point](a)
	q := p
	a.Reset()
	return q.Y // want `q is used after`
}

func field(a *arena.Arena) {
	p := arena.New[point](a)
	x := &p.X
	a.Free()
	*x = 1 // want `x is used after`
}

func element(a *arena.Arena) int {
	s := arena.MakeSlice[point](a, 3, 3)
	p := &s[1]
	a.Free()
	return p.X // want `p is used after`
}

func appended(a *arena.Arena) int {
	s := arena.Append(a, []int(nil), 1, 2)
	s = append(s, 3)
	a.Free()
	return s[0] // want `s is used after`
}

func mapped(a *arena.Arena) int {
	m := arena.NewMap[string, int](a, 8)
	m.Set("a", 1)
	a.Free()
	v, _ := m.Get("a") // want `m is used after`
	return v
}

func slab(a *arena.Arena) *point {
	s := arena.NewSlab[point](a)
	p := s.New()
	a.Free()
	fmt.Println(p.X) // want `p is used after`
	return s.New()   // want `s is used after`
}

func buffer(a *arena.Arena) string {
	b := arena.NewBuffer(a, 10)
	b.WriteString("x")
	s := b.String()
	a.Free()
	return s // want `s is used after`
}

func loop(parts []string) (last string) {
	a := arena.NewArena()
	defer a.Free()
	var kept *point
	for _, part := range parts {
		if kept != nil {
			last = kept.Name // want `kept is used after a.Reset`
		}
		kept = arena.New[point](a)
		kept.Name = part
		a.Reset()
	}
	return last
}

func branches(a *arena.Arena, x bool) int {
	p := arena.New[point](a)
	if x {
		a.Free()
	} else {
		a.Free()
	}
	return p.X // want `p is used after`
}

func inBranch(a *arena.Arena, x bool) error {
	p := arena.New[point](a)
	if x {
		a.Free()
		return errors.New(p.Name) // want `p is used after`
	}
	a.Free()
	return nil
}

func local(a *arena.Arena) *point { return arena.New[point](a) }

func byHelper(a *arena.Arena) int {
	p := local(a)
	a.Free()
	return p.X // want `p is used after`
}

func byOtherPackage(a *arena.Arena) int {
	p := helper.Make(a)
	a.Free()
	return p.X // want `p is used after`
}

func endedByHelper(a *arena.Arena) int {
	p := arena.New[point](a)
	helper.Finish(a)
	return p.X // want `p is used after a.Free`
}

func generic[T any](a *arena.Arena) T {
	p := arena.New[T](a)
	a.Free()
	return *p // want `p is used after`
}

type server struct{ pool arena.Pool }

func (s *server) method() int {
	a := s.pool.Get()
	p := arena.New[point](a)
	a.Free()
	return p.X // want `p is used after`
}

func closure(pool *arena.Pool) func() int {
	return func() int {
		a := pool.Get()
		p := arena.New[point](a)
		a.Free()
		return p.X // want `p is used after`
	}
}

func switched(a *arena.Arena, n int) int {
	p := arena.New[point](a)
	switch n {
	case 1:
		a.Reset()
	default:
		a.Reset()
	}
	return p.X // want `p is used after a.Reset`
}

func written(a *arena.Arena) {
	p := arena.New[point](a)
	a.Reset()
	p.X = 1 // want `p is used after`
}

func ranged(a *arena.Arena) (n int) {
	s := arena.MakeSlice[int](a, 3, 3)
	a.Free()
	for _, x := range s { // want `s is used after a.Free`
		n += x
	}
	return n
}

func onOnePath(a *arena.Arena, x bool) string {
	title := ""
	if x {
		title = arena.String(a, "x")
	}
	a.Free()
	return title // want `title is used after a.Free`
}

func handAndDefer(x bool) error {
	a := arena.NewArena()
	defer a.Free()
	if x {
		a.Free() // want `the arena a is freed here, and again by the deferred Free`
		return errors.New("x")
	}
	return nil
}

func deferredTwice() {
	a := arena.NewArena()
	defer a.Free()
	defer a.Free() // want `the arena a is freed here, and again by the deferred Free`
}

func toCheckpoint(a *arena.Arena) int {
	before := a.Mark()
	p := arena.New[point](a)
	a.ResetTo(before)
	return p.X // want `p is used after a.ResetTo \(line \d+\), which ended its memory`
}

type encoder struct {
	scratch *arena.Arena
	buf     []byte
}

func newEncoder() *encoder {
	e := &encoder{}
	e.scratch = arena.NewArena()
	return e
}

func (e *encoder) close() { e.scratch.Free() }

func (e *encoder) inField() byte {
	line := arena.Bytes(e.scratch, e.buf)
	e.scratch.Reset()
	return line[0] // want `line is used after e.scratch.Reset`
}

func (e *encoder) toCheckpoint(text []byte) {
	before := e.scratch.Mark()
	line := arena.Bytes(e.scratch, text)
	e.scratch.ResetTo(before)
	for _, c := range line { // want `line is used after e.scratch.ResetTo`
		e.buf = append(e.buf, c)
	}
}
