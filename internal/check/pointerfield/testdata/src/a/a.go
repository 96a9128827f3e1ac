package a

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

type conn struct {
	out *bytes.Buffer
	mu  *sync.Mutex
	n   int
}

func newConn(n int) *conn {
	return &conn{
		out: &bytes.Buffer{}, // want `the struct takes an allocation of its own: make it a part of conn`
		mu:  new(sync.Mutex), // want `the struct takes an allocation`
		n:   n,
	}
}

func (c *conn) write(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.WriteString(s)
	fmt.Fprintln(c.out, c.n)
}

func (c *conn) flush(w io.Writer) error {
	_, err := c.out.WriteTo(w)
	f := c.out.Len
	return fmt.Errorf("%d: %w", f(), err)
}

type state struct{ names []string }

type server struct {
	state *state
}

var first = &server{state: &state{}}

func newServer(names []string) *server {
	return &server{state: &state{names: names}} // want `make it a part of server`
}

func (s *server) reset() { *s.state = state{} }

func (s *server) copy() state { return *s.state }
