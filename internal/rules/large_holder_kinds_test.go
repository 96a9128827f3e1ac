package rules

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

const held = `package main

import (
	"context"
	"runtime"
	"sync"
	"time"
)

type conn struct {
	peer *conn
	buf  []byte
}

var buffers = sync.Pool{New: func() any { return new(conn) }}

func open(ctx context.Context) *conn {
	c := &conn{buf: make([]byte, 4096)}
	context.AfterFunc(ctx, func() { c.peer = nil })
	return c
}

func dial() *conn {
	c := &conn{}
	runtime.SetFinalizer(c, func(*conn) {})
	return c
}

func loop(ctx context.Context) {
	ctx, _ = context.WithTimeout(ctx, time.Hour)
}

func page(n int) {
	c := buffers.Get().(*conn)
	c.buf = append(c.buf[:0], make([]byte, n)...)
	buffers.Put(c)
}

var queue = make(chan *conn, 1000000)

var hooks []func()

func watch() {
	c := &conn{}
	hooks = append(hooks, func() { _ = c })
}

func enqueue() {
	queue <- &conn{}
}

var index = map[string]*conn{}

func learn(k string) {
	index[k] = &conn{}
}

func forget(k string) {
	delete(index, k)
}

type pipe struct{ buf []byte }

func newPipe() *pipe {
	p := &pipe{buf: make([]byte, 0, 4096)}
	return p
}

func (p *pipe) wake() {}

func (p *pipe) read(b []byte) {
	time.AfterFunc(time.Minute, p.wake)
	p.buf = append(p.buf, b...)
	p.buf = p.buf[:copy(p.buf, p.buf[1:])]
}

func wrap(f func()) func() {
	return func() { f() }
}

func serve(next func(), requests chan int) func() {
	return func() {
		next = wrap(next)
		next()
	}
}

func lost() *conn { return &conn{} }

type tunnel struct{ peers map[int]*peer }

type peer struct{ of *tunnel }

func dig() *tunnel { return &tunnel{peers: map[int]*peer{}} }

func (t *tunnel) add(id int) {
	p := &peer{of: t}
	runtime.SetFinalizer(p, func(*peer) { t.peers = nil })
	t.peers[id] = p
}

func visit() {
	t := dig()
	t.add(1)
}

var chain any

type layer struct{ inner any }

func cover() {
	chain = &layer{inner: chain}
}

func main() {}
`

// What is not held by a container has a remedy of its holder.
func TestHolders(t *testing.T) {
	for _, test := range []struct {
		name, through, function, site string
		line, title, remedy           string
	}{
		{"a context's function", "context.AfterFunc@/go/src/context/context.go:9 ", "open", "context.AfterFunc(ctx", "context.AfterFunc(ctx", "context.AfterFunc keeps", "Call the stop function"},
		{"a child context", "context.(*cancelCtx).propagateCancel@/go/src/context/context.go:9 context.WithTimeout@/go/src/context/context.go:5 ", "loop", "context.WithTimeout(ctx", "context.WithTimeout(ctx", "child contexts stay", "Call the cancel function on every path"},
		{"a middleware", "", "wrap", "return func()", "next = wrap(next)", "wraps the last one", "a new variable"},
		{"a finalizer", "", "dial", "c := &conn{}\n\truntime", "runtime.SetFinalizer", "part of a cycle", "Set no finalizer"},
		{"a channel", "", "enqueue", "queue <- &conn{}", "queue <- &conn{}", "queue only grows", "Receive as fast as others send"},
		{"callbacks", "", "watch", "c := &conn{}\n\thooks", "hooks = append", "hooks only grows", "Remove the callback"},
		{"a cycle with a finalizer", "", "dig", "return &tunnel{", "runtime.SetFinalizer(p", "part of a cycle", "Set no finalizer"},
		{"layers", "", "cover", "chain = &layer{", "chain = &layer{", "chain only grows", "from the first value"},
		{"nothing known", "", "lost", "return &conn{}", "return &conn{}", "memory that stays and grows", "Its holder is not known"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, held)
			stack := test.through + s.frame(test.function, test.site)
			if test.function == "dig" {
				stack += s.frame("visit", "t := dig()")
			}
			if test.function == "wrap" {
				stack += s.frame("serve.func1", "next = wrap(next)")
			}
			s.grow(stack, 2e5, 4e5, 6e5, 8e5)
			f := s.wants("unbounded-growth", test.line)
			has(t, f.Title, test.title)
			has(t, f.Remedy, test.remedy)
			if strings.Contains(f.Remedy, "cache with a largest size") {
				t.Errorf("the remedy is a cache's: %s", f.Remedy)
			}
		})
	}
	t.Run("what the function refers to", func(t *testing.T) {
		s := newScene(t, held)
		buffer, call := s.frame("open", "c := &conn{buf"), "context.AfterFunc@/go/src/context/context.go:9 "+s.frame("open", "context.AfterFunc(ctx")
		s.heaps = nil
		for i := range int64(4) {
			n := (i + 1) * 2e5
			s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n*3/2, n, buffer+start).Heap(n*3/2, n, call+start))
		}
		if f := s.wants("unbounded-growth", "context.AfterFunc(ctx"); f.Memory.High < 0.9 || f.Confidence != evidence.High {
			t.Errorf("it holds %+v, %s", f.Memory, f.Confidence)
		}
	})
}

// The object that a timer's function belongs to is made in another function.
func TestObjectOfATimer(t *testing.T) {
	s := newScene(t, held)
	object, call := s.frame("newPipe", "p := &pipe{"), "time.AfterFunc@/go/src/time/sleep.go:9 "+s.frame("(*pipe).read", "time.AfterFunc(")
	s.heaps = nil
	for i := range int64(4) {
		n := (i + 1) * 2e5
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n*3/2, n, object+start).Heap(n*3/2, n/2, call+start))
	}
	f := s.wants("unbounded-growth", "time.AfterFunc(")
	has(t, f.Title, "time.AfterFunc keeps its function")
	has(t, f.Remedy, "Stop the timer")
}

// A context that is not cancelled keeps its values, which are made in another function.
func TestValueOfAContext(t *testing.T) {
	const made = "context.(*cancelCtx).propagateCancel@/go/src/context/context.go:9 context.WithTimeout@/go/src/context/context.go:5 "
	stay := func(t *testing.T, line, through string, contexts ...int64) finding.Finding {
		s := newScene(t, held)
		object, call := s.frame("lost", "return &conn{}"), through+s.frame("loop", "context.WithTimeout(ctx")
		if through != made {
			call = through + s.frame("page", "buffers.Get")
		}
		s.heaps = nil
		for i, live := range contexts {
			n := int64(i+1) * 1e6
			s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(n*3/2, n, object+start).Heap(live, live, call+start))
		}
		return s.wants("unbounded-growth", line)
	}
	t.Run("stays", func(t *testing.T) {
		f := stay(t, "context.WithTimeout(", made, 1e5, 1e5, 2e5, 3e5)
		has(t, f.Title, "contexts that are not cancelled")
		if f.Confidence != evidence.Low {
			t.Errorf("a guess of confidence %s", f.Confidence)
		}
	})
	t.Run("by Done", func(t *testing.T) {
		stay(t, "context.WithTimeout(", "context.(*cancelCtx).Done@/go/src/context/context.go:9 ", 1e5, 1e5, 2e5, 3e5)
	})
	t.Run("steady", func(t *testing.T) {
		has(t, stay(t, "return &conn{}", made, 3e5, 3e5, 3e5, 3e5).Remedy, "Its holder is not known")
	})
}

// Memory that does not grow is named with its holder, too.
func TestHolderOfMemoryThatStays(t *testing.T) {
	t.Run("a map that was once large", func(t *testing.T) {
		s := newScene(t, held)
		s.grow(s.frame("learn", "index[k] ="), 4e5)
		f := s.largest()
		has(t, f.Title, "a map does not shrink")
		has(t, f.Remedy, "into a new map")
	})
	t.Run("a pool of large buffers", func(t *testing.T) {
		s := newScene(t, held)
		s.grow(s.frame("page", "c.buf = append"), 1000)
		s.heaps[0].Sample[0].Value[1], s.heaps[0].Sample[0].Value[3] = 1500<<20, 1000<<20
		f := s.largest()
		has(t, f.Title, "a pool keeps buffers at their largest size")
		has(t, f.Remedy, "whose capacity exceeds a bound")
	})
	t.Run("one series for each request", func(t *testing.T) {
		s := newScene(t, held)
		s.grow("github.com/prometheus/client_golang/prometheus.(*metricMap).getOrCreateMetricWithLabelValues@/home/gopher/go/pkg/mod/github.com/prometheus/client_golang@v1.25.0/prometheus/vec.go:9 "+
			s.frame("lost", "return &conn{}"), 4e5)
		f := s.largest()
		has(t, f.Title, "each combination of label values")
		has(t, f.Remedy, "Bound the values of the labels")
	})
}

// largest returns the finding of the rule large-holder, in a program whose CPU time is elsewhere.
func (s *scene) largest() finding.Finding {
	s.t.Helper()
	s.cpu = profiletest.NewCPU().CPU(100, start)
	for _, f := range s.find() {
		if f.Rule == "large-holder" {
			return f
		}
	}
	s.t.Fatal("nothing holds much")
	return finding.Finding{}
}

const ballasts = `package main

import "runtime"

type service struct{ ballast []byte }

func (s *service) use(mib int) {
	s.ballast = make([]byte, mib<<20)
	for i := 0; i < len(s.ballast); i += 4096 {
		s.ballast[i] = 1
	}
}

func load(mib int) []byte {
	table := make([]byte, mib<<20)
	return table
}

func main() {
	s := &service{}
	s.use(100)
	runtime.KeepAlive(s.ballast)
	load(100)
}
`

// Memory that is written and never read is a ballast.
func TestBallast(t *testing.T) {
	holds := func(t *testing.T, function, line string) *scene {
		s := newScene(t, ballasts)
		s.heaps = []*profiletest.Profile{profiletest.NewHeap(0).Add(s.frame(function, line)+start, 1, 100<<20, 1, 100<<20)}
		return s
	}
	t.Run("nobody reads it", func(t *testing.T) {
		f := holds(t, "(*service).use", "s.ballast = make").wants("large-holder", "s.ballast = make")
		has(t, f.Title, "a ballast, which nobody reads")
		has(t, f.Remedy, "GOMEMLIMIT")
	})
	t.Run("somebody reads it", func(t *testing.T) {
		for _, f := range holds(t, "load", "table := make").find() {
			if strings.Contains(f.Title, "ballast") {
				t.Error(f.Title)
			}
		}
	})
}

const lent = `package main

import (
	"strings"

	"ex.com/lock"
	lru "github.com/hashicorp/golang-lru"
)

type session struct {
	mu   lock.Mutex
	text []byte
}

var sessions = map[string]*session{}

func open(id string) {
	s := &session{}
	s.mu.Lock()
	sessions[id] = s
}

func shut(id string) { delete(sessions, id) }

var notes lock.Notes

func read(n int) {
	body := string(make([]byte, n))
	for word := range strings.FieldsSeq(body) {
		notes.Note(word)
	}
}

var pages lru.Cache

func render(id string) {
	page := make([]byte, 9999)
	pages.Add(id, page)
}

func main() {}
`

// A library may keep its arguments, and a cache bounds the number of its entries only.
func TestHolderInALibrary(t *testing.T) {
	growing := func(t *testing.T, function, line, at string) finding.Finding {
		s := newScene(t, lent)
		s.grow(s.frame(function, line), 2e5, 4e5, 6e5, 8e5, 1e6, 12e5)
		return s.wants("unbounded-growth", at)
	}
	t.Run("what the program removes", func(t *testing.T) {
		f := growing(t, "open", "s := &session{}", "sessions[id] = s")
		has(t, f.Title, "although code of the package takes from it")
		has(t, f.Remedy, "the library ex.com/lock may keep it: lock.(*Mutex).Lock (main.go:19) gets a pointer")
	})
	t.Run("a part of what no container holds", func(t *testing.T) {
		f := growing(t, "read", "body := string(", "body := string(")
		has(t, f.Title, "perhaps in a library")
		has(t, f.Remedy, "lock.(*Notes).Note (main.go:30)")
		has(t, f.Remedy, "lock.Notes has Forget.")
	})
	t.Run("entries of a cache", func(t *testing.T) {
		s := newScene(t, lent)
		s.grow(s.frame("render", "page := make("), 4e5)
		f := s.largest()
		has(t, f.Title, "entries of a cache (main.go:38)")
		has(t, f.Remedy, "a bound in bytes")
	})
}
