package rules

import "testing"

const appends = `package main

import "strings"

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
	return b.String()
}

func main() {}
`

func TestAppendWithoutRoom(t *testing.T) {
	t.Run("in a loop that says how many", func(t *testing.T) {
		s := newScene(t, appends)
		s.churn("runtime.growslice", s.frame("names", "out = append"))
		f := s.wants("append-without-room", "out = append")
		has(t, f.Patch, "+\tout = slices.Grow(out, len(rows))")
		if f.Change == nil || f.Change.Line != 6 {
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
		s.churn("strings.(*Builder).WriteString", s.frame("build", "b.WriteString"))
		has(t, s.wants("append-without-room", "b.WriteString").Remedy, "Grow")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, appends).without()
		s.churn("runtime.growslice", s.frame("names", "out = append"))
		s.wants("append-without-room", "out = append")
	})
}
