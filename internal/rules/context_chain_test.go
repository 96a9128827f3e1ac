package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const chains = `package main

import "context"

type key struct{}

func use(ctx context.Context) any { return ctx.Value(key{}) }

func loop(ctx context.Context, rounds chan int) {
	for n := range rounds {
		ctx = context.WithValue(ctx, key{}, n)
		use(ctx)
	}
}

func once(outer context.Context, rounds chan int) {
	for n := range rounds {
		ctx := outer
		ctx = context.WithValue(ctx, key{}, n+1)
		use(ctx)
	}
}

func main() {}
`

const helper = `package main

import "context"

type key struct{}

func with(ctx context.Context, n int) context.Context { return context.WithValue(ctx, key{}, n) }

func loop(ctx context.Context, rounds chan int) {
	for n := range rounds {
		ctx = with(ctx, n)
	}
}

func main() {}
`

const keptContext = `package main

import "context"

type key struct{}

func use(ctx context.Context) any { return ctx.Value(key{}) }

type server struct{ ctx context.Context }

func (s *server) kept(n int) {
	s.ctx = context.WithValue(s.ctx, key{}, n)
	use(s.ctx)
}

func main() {}
`

// A chain is found by the time of its walk, and a new variable in each round is none.
func TestContextChain(t *testing.T) {
	value := "context.value@/go/src/context/context.go:9 context.(*valueCtx).Value@/go/src/context/context.go:5 "
	t.Run("a loop", func(t *testing.T) {
		s := newScene(t, chains)
		s.grow(s.frame("loop", "ctx = context.WithValue(ctx, key{}, n)"), 1000)
		s.cpu = profiletest.NewCPU().CPU(60, value+s.frame("use", "ctx.Value")+s.frame("loop", "use(ctx)")+start).CPU(40, start)
		f := s.wants("context-chain", "ctx = context.WithValue(ctx, key{}, n)")
		has(t, f.Remedy, "new variable in the loop")
		if f.CPU.High < 0.59 || f.CPU.High > 0.61 {
			t.Errorf("it saves %v", f.CPU)
		}
	})
	t.Run("a helper", func(t *testing.T) {
		s := newScene(t, helper)
		s.grow("context.WithValue@/go/src/context/context.go:9 "+s.frame("with", "context.WithValue(ctx")+s.frame("loop", "ctx = with(ctx, n)"), 2e5, 4e5, 6e5, 8e5)
		f := s.wants("unbounded-growth", "ctx = with(ctx, n)")
		has(t, f.Remedy, "in a new variable")
	})
	t.Run("a field", func(t *testing.T) {
		s := newScene(t, keptContext)
		s.grow(s.frame("(*server).kept", "s.ctx, key{}, n"), 1000)
		s.cpu = profiletest.NewCPU().CPU(60, value+s.frame("use", "ctx.Value")+s.frame("(*server).kept", "use(s.ctx)")+start).CPU(40, start)
		s.wants("context-chain", "s.ctx, key{}, n")
	})
	t.Run("a variable of each round", func(t *testing.T) {
		s := newScene(t, chains)
		s.grow(s.frame("once", "ctx = context.WithValue(ctx, key{}, n+1)"), 1000)
		s.cpu = profiletest.NewCPU().CPU(100, start)
		s.wantsNone("context-chain")
	})
}
