package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const stores = `package main

type session struct{ user string }

var (
	sessions = map[string]*session{}
	recent   = map[string]*session{}
)

func open(id string) *session {
	s := &session{id}
	sessions[id] = s
	return s
}

func touch(id string) {
	recent[id] = &session{id}
	delete(recent, id+"-old")
}

func main() {}
`

// grow gives a line so many live objects, in heap profiles a minute apart.
func (s *scene) grow(frame string, live ...int64) *scene {
	s.heaps = nil
	for i, n := range live {
		s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(n*3/2, n, frame+start))
	}
	return s
}

func TestUnboundedGrowth(t *testing.T) {
	t.Run("what a map keeps", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 2e5, 3e5, 4e5)
		f := s.wants("unbounded-growth", "sessions[id] = s")
		has(t, f.Title, "sessions only grows")
		if f.Confidence != evidence.High || f.Memory.High < 0.9 {
			t.Errorf("%s, %+v", f.Confidence, f.Memory)
		}
	})
	t.Run("one profile shows no growth", func(t *testing.T) {
		s := newScene(t, stores)
		s.cpu = profiletest.NewCPU().CPU(100, start)
		s.grow(s.frame("open", "s := &session"), 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("one profile of a command that ends", func(t *testing.T) {
		s := newScene(t, stores)
		s.cpu, s.ended = profiletest.NewCPU().CPU(100, start), true
		s.grow(s.frame("open", "s := &session"), 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("a map that is emptied", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("touch", "recent[id] = &"), 1e5, 2e5, 3e5, 4e5, 5e5)
		if f := s.wants("unbounded-growth", "recent[id] = &"); f.Confidence != evidence.Medium {
			t.Errorf("%s", f.Confidence)
		}
	})
	t.Run("a map that is emptied, and hardly watched", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("touch", "recent[id] = &"), 1e5, 2e5, 3e5, 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("what was filled at the start", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 4e5, 4e5, 4e5)
		s.wantsNone("unbounded-growth")
	})
	// Memory that lived before the process was killed for it hides nothing.
	t.Run("after a restart", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 8e6, 1e5, 3e6, 6e6)
		s.wants("unbounded-growth", "sessions[id] = s")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, stores).without()
		s.grow(s.frame("open", "s := &session"), 1e5, 2e5, 3e5, 4e5)
		s.wants("unbounded-growth", "s := &session")
	})
}

// A snapshot that is taken right after the last one says the same again.
func TestGrowthWithTheLastProfileTwice(t *testing.T) {
	s := newScene(t, stores)
	s.grow(s.frame("open", "s := &session"), 1e5, 4e5, 7e5)
	s.heaps = append(s.heaps, profiletest.NewHeap(122).Heap(10.5e5, 7e5, s.frame("open", "s := &session")+start))
	s.wants("unbounded-growth", "sessions[id] = s")
}

// A line that makes much garbage may leak as well.
func TestGrowthAmongGarbage(t *testing.T) {
	s := newScene(t, stores)
	frame := s.frame("open", "s := &session")
	s.heaps = []*profiletest.Profile{profiletest.NewHeap(0).Heap(1e8, 1e5, frame+start),
		profiletest.NewHeap(300).Heap(15e7, 4e5, frame+start), profiletest.NewHeap(600).Heap(2e8, 7e5, frame+start)}
	s.wants("unbounded-growth", "sessions[id] = s")
}

// The sampling error of a few large samples leaves it open whether memory still grows at the
// end. Source that never takes from the container decides.
func TestGrowthWithinTheErrorOfSampling(t *testing.T) {
	doubtful := func(t *testing.T, function, text string) *scene {
		s := newScene(t, stores)
		frame := s.frame(function, text) + start
		for i, n := range []int64{1, 4, 7, 8, 8, 9, 10, 11} {
			s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(n*3<<12, n<<13, frame))
		}
		return s
	}
	t.Run("nothing is taken out", func(t *testing.T) {
		if f := doubtful(t, "open", "s := &session").wants("unbounded-growth", "sessions[id] = s"); f.Confidence != evidence.Medium {
			t.Error(f.Confidence)
		}
	})
	t.Run("entries are deleted", func(t *testing.T) {
		doubtful(t, "touch", "recent[id] = &").wantsNone("unbounded-growth")
	})
}

const withCleanup = `package main

import "runtime"

type transport struct{ log []byte; notice func() }

type session struct{ tp *transport }

func (s *session) warn() {}

func newTransport() *transport {
	return &transport{log: make([]byte, 0, 16<<10)}
}

func newSession() *session {
	s := &session{tp: newTransport()}
	s.tp.notice = s.warn
	runtime.AddCleanup(s, func(t *transport) { t.log = nil }, s.tp)
	return s
}

func (s *session) answer(text string) { s.tp.log = append(s.tp.log, text...) }

func main() {}
`

// A buffer that never grows beyond its first array keeps nothing: the object that has it is
// kept, here by its own cleanup.
func TestGrowthBehindACleanup(t *testing.T) {
	s := newScene(t, withCleanup)
	s.grow(s.frame("newTransport", "make([]byte")+s.frame("newSession", "s := &session{tp"), 1e5, 2e5, 3e5, 4e5)
	f := s.wants("unbounded-growth", "runtime.AddCleanup(s")
	has(t, f.Title, "leads back to it")
	has(t, f.Remedy, "Close the object explicitly")
}

// Each of three sites has too few samples to say that it grows. Together they have enough.
func TestGrowthOfTheWholeHeap(t *testing.T) {
	s := newScene(t, stores)
	for i, n := range []int64{2, 2, 3, 3, 4, 4, 5, 5} {
		p := profiletest.NewHeap(int64(60 * i))
		for _, at := range []string{"s := &session", "sessions[id] = s", "return s"} {
			p.Heap(n<<13, n<<13, s.frame("open", at)+start)
		}
		s.heaps = append(s.heaps, p)
	}
	if f := s.wants("unbounded-growth", "sessions[id] = s"); f.Confidence != evidence.Medium {
		t.Errorf("%+v", f)
	}
}

const retries = `package main

import "errors"

type refusal struct{ body []byte }

func (r *refusal) Error() string { return string(r.body) }

func post() error { return &refusal{make([]byte, 100)} }

func do(f func() error) error {
	var all []error
	for {
		err := f()
		if err == nil {
			return errors.Join(all...)
		}
		all = append(all, err)
	}
}

func main() { do(post) }
`

// A slice of a function that does not return keeps all that its loop appends.
func TestGrowthInALoop(t *testing.T) {
	s := newScene(t, retries)
	s.grow(s.frame("post", "&refusal{make")+s.frame("do", "err := f()"), 1e5, 2e5, 3e5, 4e5)
	has(t, s.wants("unbounded-growth", "all = append(all, err)").Title, "all only grows")
}

const senders = `package main

type server struct{ kinds map[string]int }

func (s *server) read(from chan [64]byte) {
	var seen [][64]byte
	for b := range from {
		seen = append(seen, b)
		s.handle(b[:8])
	}
	println(len(seen))
}

func (s *server) handle(b []byte) { s.kinds[string(b)]++ }

func main() {}
`

const layouts = `package main

import "sync"

type order struct{ id int }

var known sync.Map

func layoutOf(v any) []string {
	if l, ok := known.Load(v); ok {
		return l.([]string)
	}
	l := make([]string, 4)
	known.Store(v, l)
	return l
}

func insert(v any) { layoutOf(v) }

func main() {
	for {
		o := &order{id: 1}
		insert(o)
	}
}
`

// The container that keeps an object may be far below the function that makes it.
func TestGrowthFarBelow(t *testing.T) {
	s := newScene(t, layouts)
	call := s.frame("layoutOf", "known.Store(v, l)") + s.frame("insert", "layoutOf(v) }") + s.frame("main", "insert(o)")
	s.heaps = nil
	for i := range int64(5) {
		n := (i + 1) * 1e6
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n, n, s.frame("main", "o := &order")).Heap(n/4, n/4, call))
	}
	has(t, s.wants("unbounded-growth", "known.Store(v, l)").Title, "known only grows")
}

// The array of a slice in a loop is the slice's, though the loop calls a method that fills a map.
func TestGrowthOfALocalSlice(t *testing.T) {
	s := newScene(t, senders)
	s.grow(s.frame("(*server).read", "seen = append"), 1e6, 2e6, 3e6, 4e6)
	has(t, s.wants("unbounded-growth", "seen = append").Title, "seen only grows")
}

const counting = `package main

import "container/list"

type block struct {
	key  string
	data []byte
	size int
}

type lru struct {
	used, most int
	order      *list.List
	blocks     map[string]*list.Element
}

func (c *lru) set(b *block) {
	c.blocks[b.key] = c.order.PushFront(b)
	c.used += b.size
	for c.used > c.most {
		c.evict()
	}
}

func (c *lru) evict() {
	old := c.order.Remove(c.order.Back()).(*block)
	delete(c.blocks, old.key)
	c.used -= old.size
}

func fetch(c *lru, key string) {
	b := &block{key: key, data: make([]byte, 1<<10)}
	c.set(b)
}

func main() {}
`

// A bound that depends on a count of its own is worth no more than the count.
func TestBoundByCount(t *testing.T) {
	s := newScene(t, counting)
	s.grow(s.frame("fetch", "make([]byte"), 1e5, 2e5, 3e5, 4e5, 5e5)
	f := s.wants("unbounded-growth", "c.blocks[b.key] = ")
	has(t, f.Title, "its bound is never reached, or too high (main.go:27)")
	has(t, f.Remedy, "only while c.used > c.most")
	has(t, f.Remedy, "The literal at main.go:32 leaves the size that is counted at zero")
}
