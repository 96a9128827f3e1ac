package rules

import "testing"

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
