// Package mixed has several pools of one type.
package mixed

import (
	"io"
	"sync"
)

const fullSize = 64 << 10

var (
	heads  = sync.Pool{New: func() any { return bytes(8) }}
	bodies = sync.Pool{New: func() any { return bytes(fullSize) }}
)

func bytes(n int) *[]byte {
	b := make([]byte, n)
	return &b
}

func readHead(r io.Reader) (byte, error) {
	h := heads.Get().(*[]byte)
	if _, err := io.ReadFull(r, *h); err != nil {
		bodies.Put(h) // want `h is put into another pool than it came from`
		return 0, err
	}
	kind := (*h)[0]
	heads.Put(h)
	return kind, nil
}

func acquire(large bool) *[]byte {
	pool := &heads
	if large {
		pool = &bodies
	}
	return pool.Get().(*[]byte)
}

func skip(r io.Reader) error {
	b := acquire(true)
	defer heads.Put(b) // want `b is put into another pool than it came from`
	_, err := io.ReadFull(r, *b)
	return err
}

// The size decides to which pool it belongs now.
func grow(r io.Reader) error {
	b := heads.Get().(*[]byte)
	_, err := io.ReadFull(r, *b)
	*b = append(*b, make([]byte, fullSize)...)
	if cap(*b) >= fullSize {
		bodies.Put(b)
	} else {
		heads.Put(b)
	}
	return err
}

func readBody(r io.Reader) error {
	b := acquire(true)
	defer bodies.Put(b)
	_, err := io.ReadFull(r, *b)
	return err
}

// The functions in a map are called by dispatch, which puts values that they still use.
type request struct{ answer chan<- string }

var requests = sync.Pool{New: func() any { return new(request) }}

type server struct{ routes map[int]func(*request) }

func (s *server) dispatch(route int, answer chan<- string) {
	r := requests.Get().(*request)
	r.answer = answer
	if h := s.routes[route]; h != nil {
		h(r)
	}
	requests.Put(r) // want `r is put into the pool while a goroutine may still use it`
}

func newServer() *server {
	return &server{routes: map[int]func(*request){
		1: func(r *request) { r.answer <- "now" },
		2: func(r *request) { go func() { r.answer <- "later" }() },
	}}
}
