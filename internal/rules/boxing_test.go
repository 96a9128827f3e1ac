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
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, boxes).without()
		s.churn("runtime.convTnoptr", s.frame("send", "push(p)"))
		s.wants("boxing", "push(p)")
	})
}
