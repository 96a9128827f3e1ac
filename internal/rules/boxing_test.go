package rules

import (
	"strings"
	"testing"
)

const boxes = `package main

var keep []any

func push(v any) { keep[0] = v }

type point struct{ x, y int }

func send(p point, q *point) {
	push(p)
	push(q)
}

//go:noinline
func debugf(format string, values ...any) { keep = values }

type short struct{ n int }

func (s short) Error() string { return "short" }

func check(n int) error {
	return short{n}
}

func product(a, b float64) any { return a * b }

//go:noinline
func printf(format string, values ...any) {
	for _, v := range values {
		keep[0] = v
	}
}

func show(name string) {
	printf("%s", name)
}

func handle(p point) {
	debugf("%v", p)
}

func main() {}
`

func TestBoxing(t *testing.T) {
	t.Run("a struct", func(t *testing.T) {
		s := newScene(t, boxes)
		s.churn("runtime.convTnoptr", s.frame("send", "push(p)"))
		f := s.wants("boxing", "push(p)")
		has(t, f.Title, "p of type point")
		has(t, f.Escape, "p")
	})
	t.Run("for a call that may print nothing", func(t *testing.T) {
		s := newScene(t, boxes)
		s.churn("runtime.convTnoptr", s.frame("handle", "debugf(\"%v\", p)"))
		has(t, s.wants("boxing", "debugf(\"%v\", p)").Remedy, "ask first whether its level is enabled")
	})
	t.Run("for a call that keeps the values but not their slice", func(t *testing.T) {
		s := newScene(t, boxes)
		s.churn("runtime.convTstring", s.frame("show", "printf(\"%s\", name)"))
		f := s.wants("boxing", "printf(\"%s\", name)")
		has(t, f.Remedy, "a function that takes them by their types")
	})
	for function, text := range map[string]string{"check": "return short{n}", "product": "return a * b"} {
		t.Run("for the caller of "+function, func(t *testing.T) {
			s := newScene(t, boxes)
			s.churn("runtime.convTnoptr", s.frame(function, text))
			f := s.wants("boxing", text)
			has(t, f.Remedy, "result")
			if strings.Contains(f.Example, "Push") || f.CPU.Low > 0 {
				t.Errorf("saves %v of CPU, by %s", f.CPU, f.Example)
			}
		})
	}
	t.Run("with the slice of such a call", func(t *testing.T) {
		s := newScene(t, boxes)
		s.churn("runtime.newobject", s.frame("handle", "debugf(\"%v\", p)"))
		f := s.find()[0]
		has(t, f.Title, "variadic arguments")
		has(t, f.Remedy, "ask first whether its level is enabled")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, boxes).without()
		s.churn("runtime.convTnoptr", s.frame("send", "push(p)"))
		s.wants("boxing", "push(p)")
	})
}
