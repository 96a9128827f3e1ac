package clean

import (
	"fmt"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func before(a *arena.Arena) int {
	p := arena.New[point](a)
	x := p.X
	a.Free()
	return x
}

func cloned(a *arena.Arena) string {
	s := arena.Clone(arena.String(a, "text"))
	p := arena.Promote(arena.New[point](a))
	a.Free()
	return s + p.Name
}

func copied(a *arena.Arena) string {
	s := string(arena.Bytes(a, []byte("x")))
	a.Free()
	return s
}

func fresh(a *arena.Arena) int {
	p := arena.New[point](a)
	a.Reset()
	p = arena.New[point](a)
	return p.X
}

func after(a *arena.Arena) {
	p := arena.New[point](a)
	fmt.Println(p)
	a.Free()
	p = nil
	fmt.Println(p == nil)
}

func maybe(a *arena.Arena, end bool) int {
	p := arena.New[point](a)
	if end {
		a.Free()
	}
	if !end {
		return p.X
	}
	return 0
}

func rounds(parts []string) (n int) {
	a := arena.NewArena()
	defer a.Free()
	for range parts {
		p := arena.New[point](a)
		n += p.X
		a.Reset()
	}
	return n
}

func deferred(pool *arena.Pool) int {
	a := pool.Get()
	defer a.Free()
	p := arena.New[point](a)
	return p.X
}

func length(a *arena.Arena) int {
	s := arena.MakeSlice[int](a, 3, 3)
	a.Free()
	return len(s)
}

func two() int {
	a, b := arena.NewArena(), arena.NewArena()
	p := arena.New[point](a)
	b.Free()
	x := p.X
	a.Free()
	return x
}

func renewed(pool *arena.Pool) {
	a := pool.Get()
	a.Free()
	a = pool.Get()
	fmt.Println(arena.New[point](a))
	a.Free()
}

func heap(a *arena.Arena) *point {
	p := new(point)
	a.Free()
	return p
}

func resetThenUse(a *arena.Arena) *point {
	a.Reset()
	return arena.New[point](a)
}

func inClosure(a *arena.Arena) int {
	p := arena.New[point](a)
	f := func() { a.Free() }
	x := p.X
	f()
	return x
}

func nested(parts [][]int) (n int) {
	a := arena.NewArena()
	defer a.Free()
	for _, part := range parts {
		var first *int
		for _, x := range part {
			if first == nil {
				first = arena.New[int](a)
				*first = x
			}
		}
		if first != nil {
			n += *first
		}
		a.Reset()
	}
	return n
}

func compared(pool *arena.Pool) bool {
	a := pool.Get()
	a.Free()
	b := pool.Get()
	defer b.Free()
	return a == b
}

func slabSurvives(a *arena.Arena, rounds int) (n int) {
	s := arena.NewSlab[point](a)
	for range rounds {
		n += s.New().X
		a.Reset()
	}
	return n + s.New().X
}

func onePathOnly(a *arena.Arena, x bool) string {
	title := ""
	if x {
		title = arena.String(a, "x")
	}
	title = arena.Clone(title)
	a.Free()
	return title
}

func nilArena() {
	var a *arena.Arena
	a.Free()
	a.Free()
}

func handAndNil() {
	a := arena.NewArena()
	defer func() {
		if a != nil {
			a.Free()
		}
	}()
	a.Free()
	a = nil
}

func deferredOnly(x bool) {
	a := arena.NewArena()
	if x {
		a.Free()
		return
	}
	defer a.Free()
}

func beforeCheckpoint(a *arena.Arena) int {
	p := arena.New[point](a)
	before := a.Mark()
	q := arena.New[point](a)
	n := q.X
	a.ResetTo(before)
	return n + p.X
}

type lexer struct {
	a    *arena.Arena
	text []byte
}

func (l *lexer) next(pool *arena.Pool) { l.a = pool.Get() }

// changesField may reset another arena than that of line.
func (l *lexer) changesField(pool *arena.Pool) byte {
	line := arena.Bytes(l.a, l.text)
	l.next(pool)
	l.a.Reset()
	return line[0]
}

type session struct {
	room  *arena.Arena
	stack []int
}

func newSession() *session {
	room := arena.NewArena()
	s := arena.New[session](room)
	s.room = room
	return s
}

func (s *session) close() { s.room.Free() }

func (s *session) run() int {
	before := s.room.Mark()
	defer s.room.ResetTo(before)
	s.stack = arena.MakeSlice[int](s.room, 1, 8)
	return s.stack[0]
}

func (s *session) round() {
	s.stack = arena.MakeSlice[int](s.room, 0, 8)
	s.room.Reset()
}

func eachField(sessions []*session) (n int) {
	var last *int
	for _, s := range sessions {
		s.room.Reset()
		if last != nil {
			n += *last
		}
		last = arena.New[int](s.room)
	}
	return n
}
