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
