package main

import (
	"strings"
	"testing"
)

func TestReported(t *testing.T) {
	const text = `// After owner/some.name#12: a buffer is put back too early.
package early

func f() {
	pool.Put(b) // WRONG pool: b is read below
}
`
	var c misuse
	c.read("early/early.go", text)
	c.report("early/early.go:5", "poolput: b is used after Put")
	var b strings.Builder
	writeReported(&b, []*misuse{&c})
	if want := "| owner/some.name#12 | b is read below | yes |"; !strings.Contains(b.String(), want) {
		t.Errorf("no line %q in:\n%s", want, b.String())
	}
}
