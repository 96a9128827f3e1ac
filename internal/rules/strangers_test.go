package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
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

const stranger = `package main

import (
	"context"
	"io"
	"strings"
)

type message struct{ id string }

type broker struct{ open map[string]*message }

func (b *broker) next() *message {
	m := &message{}
	b.open[m.id] = m
	return m
}

func (b *broker) ack(id string) { delete(b.open, id) }

func release(*message) {}

func loop(b *broker) {
	for {
		m := b.next()
		defer release(m)
		b.ack(m.id)
	}
}

type key struct{}

func deliver(root context.Context, body []byte) {
	limited(context.WithValue(root, key{}, body))
}

func limited(ctx context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	_ = cancel
	post(ctx)
}

func post(context.Context) { _ = make([]byte, 9) }

func event() []byte { return make([]byte, 4096) }

var entries = map[string]string{}

func page(prefix string, r io.Reader) {
	var text strings.Builder
	io.Copy(&text, r)
	entries[prefix] = element(text.String())
}

func element(text string) string {
	_, after, _ := strings.Cut(text, "<Key>")
	return after
}

func main() {}
`

// The program removes the entry of each message, and its deferred calls keep the messages.
func TestDeferBehindAMap(t *testing.T) {
	s := newScene(t, stranger)
	s.heaps = nil
	for i := range int64(6) {
		n := (i + 1) * 2e5
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n*3/2, n, s.frame("(*broker).next", "m := &message{}")+
			s.frame("loop", "m := b.next()")+"runtime.goexit@/go/src/runtime/asm.s:1"))
	}
	has(t, s.wants("unbounded-growth", "defer release(m)").Title, "deferred calls pile up")
}

// The function that forgets to cancel is called by the one whose values stay.
func TestValuesOfContextsThatAnotherFunctionMakes(t *testing.T) {
	s := newScene(t, stranger)
	value := "context.WithValue@/go/src/context/context.go:9 " + s.frame("deliver", "limited(context.WithValue")
	called := s.frame("post", "make([]byte, 9)") + s.frame("limited", "post(ctx)") + s.frame("deliver", "limited(context.WithValue")
	s.heaps = nil
	for i := range int64(6) {
		n := (i + 1) * 2e6
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n, n, s.frame("event", "return make(")+start).
			Heap(n/4, n/4, value+start).Heap(n, 0, called+start))
	}
	for _, f := range s.find() {
		if f.Rule == "unbounded-growth" && strings.Contains(f.Source, "context.WithCancelCause") {
			has(t, f.Title, "contexts that are not cancelled")
			return
		}
	}
	t.Error("the function that makes the contexts is not found")
}

// A part of a page is kept, and so is the page.
func TestPartsInAMap(t *testing.T) {
	s := newScene(t, stranger)
	s.heaps = nil
	for i := range int64(6) {
		p := profiletest.NewHeap(60*i).Heap(1e6, 1e6, "strings.(*Builder).grow@/go/src/strings/builder.go:9 "+s.frame("page", "io.Copy(")+start)
		v := p.Sample[0].Value
		v[0], v[2] = (i+1)*10, (i+1)*10
		v[1], v[3] = (i+1)*1e6, (i+1)*1e6
		s.heaps = append(s.heaps, p)
	}
	f := s.wants("unbounded-growth", "entries[prefix] =")
	has(t, f.Remedy, "each part keeps a whole text alive")
	has(t, f.Remedy, "Put a bound on it")
}

const limits = `package main

import "ex.com/lock"

type store struct{ byClient map[string]*int }

func (s *store) limiter(client string) *int {
	l := s.byClient[client]
	if l == nil {
		l = new(int)
		s.byClient[client] = l
	}
	return l
}

func listen(again bool) *lock.Watch {
	w := lock.Open()
	if again {
		return nil
	}
	return w
}

func main() {}
`

// The heap surely grows, by its exact sizes, and too few of the objects are sampled for a trend.
func TestGrowthByTheExactHeap(t *testing.T) {
	s := newScene(t, limits)
	s.heaps = nil
	for i, live := range []int64{4, 4, 5, 4, 4, 5} {
		at := s.frame("(*store).limiter", "l = new(int)")
		s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(5e5+int64(i)*1e3, live*1e5, at+start))
		taken := time.Unix(1_700_000_000+int64(60*i), 0)
		s.runtime.Heaps = append(s.runtime.Heaps, evidence.LiveHeap{Taken: taken, Bytes: 5e5 + 3e5*float64(i)})
	}
	f := s.wants("unbounded-growth", "s.byClient[client] = l")
	has(t, f.Title, "s.byClient only grows")
	has(t, f.Evidence[2].Name, "growth of the whole heap")
}

// A value of a library is left open, whatever the library has called to keep it.
func TestUnreleasedValueOfALibrary(t *testing.T) {
	s := newScene(t, limits)
	s.grow("context.AfterFunc@/go/src/context/context.go:9 ex.com/lock.Open@ex.com/lock@v1.36.12/lock.go:9 "+s.frame("listen", "lock.Open()"), 2e5, 4e5, 6e5, 8e5)
	s.wantsNone("unbounded-growth")
	for _, f := range s.find() {
		if f.Rule == "unreleased" {
			has(t, f.Title, "main.go:19 leaves what lock.Open returned unreleased")
			return
		}
	}
	t.Error("it is not found")
}
