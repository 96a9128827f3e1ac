package rules

import "testing"

const conversions = `package main

import "io"

var sink []byte

func serve(w io.Writer, s string) {
	w.Write([]byte(s))
}

func count(m map[string]int, b []byte) {
	m[string(b)]++
}

func main() {}
`

func TestStringConversion(t *testing.T) {
	t.Run("to bytes", func(t *testing.T) {
		s := newScene(t, conversions)
		s.churn("runtime.stringtoslicebyte", s.frame("serve", "w.Write("))
		f := s.wants("string-conversion", "w.Write(")
		has(t, f.Title, "[]byte(s)")
		has(t, f.Escape, "passed to w.Write(")
	})
	t.Run("key of an insert", func(t *testing.T) {
		s := newScene(t, conversions)
		s.churn("runtime.slicebytetostring", s.frame("count", "m[string(b)]"))
		s.wants("string-conversion", "m[string(b)]")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, conversions).without()
		s.churn("runtime.stringtoslicebyte", s.frame("serve", "w.Write("))
		s.wants("string-conversion", "w.Write(")
	})
	t.Run("io.WriteString to a writer without it", func(t *testing.T) {
		s := newScene(t, conversions)
		s.churn("io.WriteString", s.frame("serve", "w.Write("))
		has(t, s.wants("string-conversion", "w.Write(").Title, "io.WriteString")
	})
}
