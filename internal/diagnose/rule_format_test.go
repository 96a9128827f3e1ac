package diagnose

import "testing"

const formats = `package main

import (
	"bytes"
	"fmt"
)

func key(id int) string {
	return fmt.Sprintf("%d", id)
}

func print(b *bytes.Buffer, id int) {
	fmt.Fprintf(b, "%d", id)
}

func main() {}
`

func TestFormatting(t *testing.T) {
	t.Run("the call", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("fmt.Sprintf", s.frame("key", "fmt.Sprintf"))
		has(t, s.wants("formatting", "fmt.Sprintf").Title, "fmt.Sprintf")
	})
	t.Run("what is put into interfaces for it", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("runtime.convT64", s.frame("key", "fmt.Sprintf"))
		s.wants("formatting", "fmt.Sprintf")
	})
	t.Run("into a buffer that grows", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("bytes.(*Buffer).grow@/go/src/b.go:1 fmt.Fprintf", s.frame("print", "fmt.Fprintf"))
		s.wants("request-buffer", "fmt.Fprintf")
	})
}
