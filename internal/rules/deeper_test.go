package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const volumes = `package main

import (
	"container/list"
	"sync"
)

var (
	mounts   = map[string]string{}
	locks    = map[string]*sync.Mutex{}
	watchers = map[string]*list.List{}
	values   = map[string]string{}
)

func attach(pod string) {
	v := "pvc-" + pod
	publish(v, pod)
}

func publish(volume, pod string) {
	lockFor(volume).Lock()
	mounts[volume] = pod
}

func lockFor(id string) *sync.Mutex {
	mu, ok := locks[id]
	if !ok {
		mu = &sync.Mutex{}
		locks[id] = mu
	}
	return mu
}

func detach(volume string) { delete(mounts, volume) }

type watcher struct{ events chan int }

func watch(key string) *watcher {
	w := &watcher{events: make(chan int, 64)}
	l, ok := watchers[key]
	if !ok {
		l = list.New()
		watchers[key] = l
	}
	l.PushBack(w)
	return w
}

func serve(key, value string) {
	values[key] = value
	watch(key)
}

func main() {}
`

// A name that goes into two maps is kept by the one from which nothing is taken.
func TestMapThatNothingIsTakenFrom(t *testing.T) {
	s := newScene(t, volumes)
	s.heaps = nil
	for i := range int64(6) {
		n := (i + 1) * 1e5
		names := s.frame("attach", `v := "pvc-"`)
		entries := s.frame("lockFor", "locks[id] = mu") + s.frame("publish", "lockFor(volume)") + s.frame("attach", "publish(v, pod)")
		s.heaps = append(s.heaps, profiletest.NewHeap(60*i).Heap(n*3/2, n, names+start).Heap(n, n/2, entries+start))
	}
	f := s.wants("unbounded-growth", "locks[id] = mu")
	has(t, f.Title, "locks only grows")
}

// A list that is an entry of a map lives as long as the map.
func TestListInAMap(t *testing.T) {
	s := newScene(t, volumes)
	s.grow(s.frame("watch", "w := &watcher")+s.frame("serve", "watch(key)\n}"), 1e5, 2e5, 3e5, 4e5)
	f := s.wants("unbounded-growth", "l.PushBack(w)")
	has(t, f.Title, "l only grows")
}

const questions = `package main

type client struct {
	queue   chan message
	pending map[int]*question
}

type message struct{ body []byte }

type question struct {
	id   int
	body []byte
}

func (c *client) dispatch(id int, body []byte) *question {
	q := &question{id, body}
	c.pending[id] = q
	c.queue <- message{body}
	return q
}

func (c *client) call(id int, body []byte) int { return c.dispatch(id, body).id }

func (c *client) answered(id int) { delete(c.pending, id) }

type asker struct {
	client *client
	asked  map[string]int
}

func (a *asker) ask(n int) {
	a.asked["questions"]++
	body := make([]byte, n)
	a.client.call(n, body)
}

func main() {}
`

// Memory that two calls hand on is kept by the map that it flows to, not by a channel, nor by
// a map that is only near.
func TestMapBehindTwoCalls(t *testing.T) {
	s := newScene(t, questions)
	s.grow(s.frame("(*asker).ask", "make([]byte, n)"), 1e5, 2e5, 3e5, 4e5, 5e5)
	f := s.wants("unbounded-growth", "c.pending[id] = q")
	has(t, f.Title, "c.pending grows, although")
}

const connections = `package main

type conn struct{ buf []byte }

type hub struct{ active map[*conn]bool }

func (h *hub) add(c *conn) { h.active[c] = true }

func (h *hub) join(c *conn) { h.add(c) }

func serve(h *hub, n int) {
	c := &conn{buf: make([]byte, n)}
	h.join(c)
}

func main() {}
`

// A pointer that is a map's key holds its object.
func TestSetBehindTwoCalls(t *testing.T) {
	s := newScene(t, connections)
	s.grow(s.frame("serve", "make([]byte, n)"), 1e5, 2e5, 3e5, 4e5, 5e5)
	has(t, s.wants("unbounded-growth", "h.active[c] = true").Title, "h.active only grows")
}
