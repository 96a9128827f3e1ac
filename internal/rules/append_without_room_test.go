package rules

import "testing"

const appends = `package main

import (
	"bytes"
	"strings"
)

func names(rows []int) []string {
	var out []string
	for range rows {
		out = append(out, "x")
	}
	return out
}

func roomy(rows []int) []string {
	out := make([]string, 0, len(rows))
	for range rows {
		out = append(out, "x")      // with room
	}
	return out
}

func build() string {
	var b strings.Builder
	b.WriteString("x")
	b.WriteString("yz")
	return b.String()
}

func body(r *bytes.Reader) string {
	var all strings.Builder
	if _, err := r.WriteTo(&all); err != nil {
		return ""
	}
	return all.String()
}

func main() {}
`

func TestAppendWithoutRoom(t *testing.T) {
	t.Run("in a loop that says how many", func(t *testing.T) {
		s := newScene(t, appends)
		s.churn("runtime.growslice", s.frame("names", "out = append"))
		f := s.wants("append-without-room", "out = append")
		has(t, f.Patch, "+\tout = slices.Grow(out, len(rows))")
		if f.Change == nil || f.Change.Line != 9 {
			t.Errorf("change %+v", f.Change)
		}
	})
	t.Run("with room", func(t *testing.T) {
		s := newScene(t, appends)
		s.churn("runtime.growslice", s.frame("roomy", `out = append(out, "x")      //`))
		s.wantsNone("append-without-room")
	})
	t.Run("strings.Builder", func(t *testing.T) {
		s := newScene(t, appends)
		s.churn("strings.(*Builder).WriteString", s.frame("build", `b.WriteString("x")`))
		has(t, s.wants("append-without-room", `b.WriteString("x")`).Remedy, "Grow")
	})
	t.Run("strings.Builder that is written once", func(t *testing.T) {
		s := newScene(t, appends)
		s.churn("strings.(*Builder).Write", s.frame("body", "r.WriteTo"))
		f := s.wants("append-without-room", "r.WriteTo")
		has(t, f.Remedy, "Grow would save nothing")
		if f.CPU.Low > 0 {
			t.Errorf("saves at least %v of CPU by Grow, which changes nothing", f.CPU)
		}
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, appends).without()
		s.churn("runtime.growslice", s.frame("names", "out = append"))
		s.wants("append-without-room", "out = append")
	})
}
