package rules

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

const closures = `package main

var run func(func())

type server struct{ n int }

func (s *server) handle() { s.n++ }

func constant(n int) func() int {
	return func() int { return n }
}

var compiled []func() int

func each(s *server, rows []int) {
	total := 0
	run(func() { total++ })
	run(s.handle)
	for range rows {
		go s.handle()
	}
}

func main() { compiled = append(compiled, constant(1)) }
`

func TestClosure(t *testing.T) {
	for text, title := range map[string]string{
		"run(func()":    "a closure is made",
		"run(s.handle)": "the method value s.handle",
		"go s.handle()": "a goroutine is started",
	} {
		t.Run(text, func(t *testing.T) {
			s := newScene(t, closures)
			s.churn("runtime.newobject", s.frame("each", text))
			has(t, s.wants("closure", text).Title, title)
		})
	}
}

// The caller gets the closure, so the function cannot do without it.
func TestClosureForTheCaller(t *testing.T) {
	s := newScene(t, closures)
	s.churn("runtime.newobject", s.frame("constant", "return func() int"))
	f := s.wants("closure", "return func() int")
	has(t, f.Remedy, "It is returned")
	if f.CPU.Low > 0 || f.Confidence != evidence.Low {
		t.Errorf("saves %v of CPU, confidence %s", f.CPU, f.Confidence)
	}
}

// Without the source a closure is an object like any other, which is said; a
// goroutine has a function of the runtime.
func TestClosureWithoutSource(t *testing.T) {
	t.Run("closure", func(t *testing.T) {
		s := newScene(t, closures).without()
		s.churn("runtime.newobject", s.frame("each", "run(func()"))
		s.wantsNone("closure")
		has(t, strings.Join(s.notes, "\n"), "without the source closure found only goroutines and defers")
	})
	t.Run("goroutine", func(t *testing.T) {
		s := newScene(t, closures).without()
		s.churn("runtime.newproc", s.frame("each", "go s.handle()"))
		has(t, s.wants("closure", "go s.handle()").Title, "a goroutine is started")
	})
}
