package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const kept = `package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"

	"ex.com/lock"
)

type frame struct{ pixels []byte }

type ring struct {
	slots   []*frame
	head, n int
}

func (r *ring) put(f *frame) {
	r.slots[(r.head+r.n)%len(r.slots)] = f
	r.n++
}

func (r *ring) take() *frame {
	f := r.slots[r.head]
	r.head, r.n = (r.head+1)%len(r.slots), r.n-1
	return f
}

func shoot(r *ring) {
	f := &frame{pixels: make([]byte, 4096)}
	r.put(f)
}

type bus struct{ observers []func(int) }

func (b *bus) observe(fn func(int)) { b.observers = append(b.observers, fn) }

type viewer struct {
	page bytes.Buffer
	bids chan int
}

func watch(b *bus) int {
	v := &viewer{bids: make(chan int, 1)}
	v.page.Grow(4096)
	b.observe(func(n int) {
		select {
		case v.bids <- n:
		default:
		}
	})
	return <-v.bids
}

type ticket struct{ order string }

type desk struct{ tickets []ticket }

func (d *desk) hook(body []byte) {
	doc := lock.Parse(body)
	d.tickets = append(d.tickets, ticket{order: doc.Get("order")})
}

var whole []lock.Doc

func keep(body []byte) ticket {
	all := lock.Parse(body)
	whole = append(whole, all)
	return ticket{order: all.Get("name")}
}

func handler() func(io.Writer) {
	pool := sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	return func(w io.Writer) {
		zw := pool.Get().(*gzip.Writer)
		zw.Reset(w)
		zw.Write([]byte("x"))
		pool.Put(zw)
	}
}

func picture(w io.Writer) { handler()(w) }

type cached struct {
	get  func() []byte
	last []byte
}

var events = lock.NewBus()

func cache(get func() []byte) func() []byte {
	c := &cached{get: get}
	events.Subscribe("reset", c.reset)
	return c.value
}

func (c *cached) value() []byte {
	c.last = c.get()
	return c.last
}

func (c *cached) reset() { c.last = nil }

func registers() []byte { return make([]byte, 4096) }

var tickets = &lock.Cache{}

func open(id string)  { tickets.Set(id, 1) }
func enter(id string) { tickets.Delete(id) }

func main() {}
`

// A slot of a ring keeps the value that was taken from it.
func TestElementThatKeepsItsValue(t *testing.T) {
	s := newScene(t, kept)
	s.grow(s.frame("shoot", "f := &frame{"), 1000, 2000, 3000, 4000, 5000, 6000).large()
	f := s.wants("unbounded-growth", "r.slots[(r.head+r.n)%len(r.slots)] = f")
	has(t, f.Title, "each element of r.slots keeps its value")
	has(t, f.Remedy, "Set the element to its zero value")
}

// The array of a buffer is kept by a function that captures the buffer's struct.
func TestBufferThatACallbackKeeps(t *testing.T) {
	s := newScene(t, kept)
	at := "bytes.(*Buffer).Grow@/go/src/bytes/buffer.go:9 " + s.frame("watch", "v.page.Grow(")
	s.grow(at, 1000, 2000, 3000, 4000, 5000, 6000).large()
	f := s.wants("unbounded-growth", "b.observers = append(b.observers, fn)")
	has(t, f.Remedy, "Remove the callback")
}

// A library's method returns a part of the text that the library has made.
func TestPartOfALibrarysText(t *testing.T) {
	made := "ex.com/lock.Parse@ex.com/lock@v1.36.12/lock.go:9 "
	s := newScene(t, kept)
	s.grow(made+s.frame("(*desk).hook", "doc := lock.Parse(body)"), 1000).large()
	for _, v := range s.heaps[len(s.heaps)-1].Sample {
		v.Value[1], v.Value[3] = v.Value[0]*largeText, v.Value[2]*largeText
	}
	f := s.wants("retention", "ticket{order: doc.Get(")
	has(t, f.Remedy, "strings.Clone")

	s = &scene{t: t, text: kept, lines: kept, heaps: []*profiletest.Profile{profiletest.NewHeap(0)}, cpu: s.cpu}
	s.grow(made+s.frame("keep", "all := lock.Parse(body)"), 1000).large()
	s.wantsNone("retention")
}

// Another function of the type has handed a method to a library, which keeps the object.
func TestMethodThatALibraryKeeps(t *testing.T) {
	s := newScene(t, kept)
	at := s.frame("registers", "return make([]byte, 4096)") + s.frame("(*cached).value", "c.last = c.get()")
	s.grow(at, 1000, 2000, 3000, 4000, 5000, 6000).large()
	f := s.wants("unbounded-growth", `events.Subscribe("reset", c.reset)`)
	has(t, f.Remedy, "Remove the registration")
}

func TestPoolForEachCall(t *testing.T) {
	s := newScene(t, kept)
	made := "compress/flate.NewWriter@/go/src/compress/flate/deflate.go:9 compress/gzip.(*Writer).Write@/go/src/compress/gzip/gzip.go:9"
	s.churn(made, s.frame("picture.handler.func2", "zw.Write(")+s.frame("picture", "handler()(w)"))
	f := s.wants("encoder", "zw.Write(")
	has(t, f.Title, "a sync.Pool that each call of main.handler makes has nothing to give")
	has(t, f.Remedy, "Make it once")
}

func TestTablesOfALibrarysMap(t *testing.T) {
	s := newScene(t, kept)
	s.grow("ex.com/lock.(*Cache).Set@ex.com/lock@v1.36.12/lock.go:9 "+s.frame("open", "tickets.Set("), 600)
	for _, v := range s.heaps[len(s.heaps)-1].Sample {
		v.Value[1], v.Value[3] = v.Value[0]*48<<10, v.Value[2]*48<<10
	}
	has(t, s.largest().Title, "perhaps tables of a map, which does not shrink")
}
