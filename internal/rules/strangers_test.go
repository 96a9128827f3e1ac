package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const strange = `package main

import "encoding/json"

type writer struct{ buf []byte }

func (w *writer) Close() {}

func open() *writer { return &writer{buf: make([]byte, 4096)} }

func offload(events chan string) {
	for range events {
		w := open()
		defer w.Close()
	}
}

type chunk struct{ data []byte }

type series struct{ chunks []*chunk }

func (s *series) push() {
	s.chunks = append(s.chunks, &chunk{})
}

func (s *series) flush() {
	s.chunks = s.chunks[1:]
}

type store struct{ active map[*writer]struct{} }

var stores = map[string]*store{}

func storeFor(name string) *store {
	st, ok := stores[name]
	if !ok {
		st = &store{active: map[*writer]struct{}{}}
		stores[name] = st
	}
	return st
}

func (st *store) add(w *writer) {
	st.active[w] = struct{}{}
}

func (st *store) drop(w *writer) {
	delete(st.active, w)
}

type span struct {
	store *store
	name  string
}

func begin(name string) *span {
	s := &span{store: storeFor(name)}
	s.store.add(open())
	return s
}

func convert(m map[string]any) (c struct{ Kind string }) {
	text, err := json.Marshal(m)
	if err != nil {
		return c
	}
	json.Unmarshal(text, &c)
	return c
}

func wait(ready, end chan error) error {
	for {
		select {
		case err := <-ready:
			if err != nil {
				return err
			}
		case err := <-end:
			return err
		}
	}
}

func main() {}
`

func TestDeferInALoop(t *testing.T) {
	s := newScene(t, strange)
	s.grow(s.frame("open", "return &writer{")+s.frame("offload", "w := open()"), 2e5, 4e5, 6e5, 8e5)
	f := s.wants("unbounded-growth", "defer w.Close()")
	has(t, f.Title, "deferred calls pile up")
	has(t, f.Remedy, "a function of its own")
}

func TestFrontOfASlice(t *testing.T) {
	s := newScene(t, strange)
	s.grow(s.frame("(*series).push", "s.chunks = append"), 1e5, 2e5, 3e5, 4e5, 5e5)
	f := s.wants("unbounded-growth", "s.chunks = append")
	has(t, f.Title, "s.chunks keeps what is cut off its front (main.go:")
	has(t, f.Remedy, "Set each to nil")
}

// The store that a span refers to does not hold the span.
func TestSetOfPointers(t *testing.T) {
	s := newScene(t, strange)
	s.heaps = nil
	span := s.frame("begin", "s := &span{")
	add := s.frame("(*store).add", "st.active[w] =") + s.frame("begin", "s.store.add(")
	for i := range int64(6) {
		n := (i + 1) * 1e5
		heap := profiletest.NewHeap(60*i).Heap(n*3/2, n, span+start).Heap(n*3/2, n, add+start)
		s.heaps = append(s.heaps, heap)
	}
	f := s.wants("unbounded-growth", "st.active[w] =")
	has(t, f.Remedy, "Its keys are pointers")
}

func TestJSONRoundTrip(t *testing.T) {
	s := newScene(t, strange)
	s.churn("encoding/json.Marshal", s.frame("convert", "json.Marshal(m)"))
	f := s.wants("encoder", "json.Marshal(m)")
	has(t, f.Title, "made and read again, at main.go:")
	has(t, f.Remedy, "assign the fields directly")
}

const cloning = `package main

import "encoding/json"

type rule struct{ Keys []string }

func (r *rule) String() string {
	text, _ := json.Marshal(r)
	return string(text)
}

func (r *rule) Clone() *rule {
	var c rule
	json.Unmarshal([]byte(r.String()), &c)
	return &c
}

func main() {}
`

// The text of a copy may be made in a function that is called for it.
func TestCopyByJSON(t *testing.T) {
	s := newScene(t, cloning)
	s.churn("encoding/json.Unmarshal", s.frame("(*rule).Clone", "json.Unmarshal"))
	f := s.wants("encoder", "json.Unmarshal")
	has(t, f.Title, "made and read again, at main.go:8")
	has(t, f.Example, "slices.Clone(r.Keys)")
}

func TestChannelThatIsAlwaysReady(t *testing.T) {
	s := newScene(t, strange)
	choose := "runtime.selectgo@/go/src/runtime/select.go:1 " + s.frame("wait", "select {")
	s.cpu = profiletest.NewCPU().CPU(90, choose+start).CPU(10, start)
	f := s.wants("runtime-work", "select {")
	has(t, f.Title, "a channel that is always ready")
	has(t, f.Remedy, "A closed channel gives its zero value for ever")
}
