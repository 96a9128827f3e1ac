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

const indexed = `package main

type queue struct{ array []byte }

func (q *queue) push(data []byte) int {
	q.array = make([]byte, 2*len(q.array)+len(data))
	return copy(q.array, data)
}

type shard struct {
	entries queue
	index   map[uint64]uint32
}

func (s *shard) set(key uint64, data []byte) {
	at := s.entries.push(data)
	s.index[key] = uint32(at)
}

func main() {}
`

// A map of numbers holds no buffer, even if the numbers come from the call that makes
// it.
func TestNumbersKeepNoBuffer(t *testing.T) {
	s := newScene(t, indexed)
	s.churn("runtime.makeslice", s.frame("(*queue).push", "q.array = make")+s.frame("(*shard).set", "s.entries.push"))
	f := s.wants("request-buffer", "q.array = make")
	has(t, f.Remedy, "it is stored in q.array at main.go:6")
}
