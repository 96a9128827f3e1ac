package rules

import (
	"strings"
	"testing"
)

const cached = `package main

var pages = map[int][]byte{}

func put(n int) {
	page := make([]byte, 4096)
	pages[n] = page
	delete(pages, n-100)
}

func main() {}
`

// Most buffers of a bounded cache are dead. The others would change under the
// cache's feet if a pool handed them out again.
func TestNoPoolForWhatACacheKeeps(t *testing.T) {
	s := newScene(t, cached)
	s.churn("runtime.makeslice", s.frame("put", "page := make"))
	f := s.wants("request-buffer", "page := make")
	has(t, f.Remedy, "pages[n] keeps it (main.go:7)")
	if strings.Contains(f.Remedy+f.Example, "pool.") || strings.Contains(f.Example, "the caller") {
		t.Errorf("%s\n%s", f.Remedy, f.Example)
	}
}
