package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const buffers = `package main

import (
	"bytes"
	"io"
	"net/http"
)

func serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	buf := make([]byte, len(body))
	copy(buf, body)
	var out bytes.Buffer
	out.Write(buf)
	w.Write(out.Bytes())
}

func main() {}
`

const readers = `package main

import (
	"bufio"
	"io"
)

func count(src io.Reader) (n int) {
	r := bufio.NewReader(src) // in count
	for _, err := r.ReadByte(); err == nil; _, err = r.ReadByte() {
		n++
	}
	return n
}

type decoder struct{ buf *bufio.Reader }

func (d *decoder) next(src io.Reader) {
	d.buf = bufio.NewReader(src) // in next
}

func main() { new(decoder).next(nil) }
`

const copying = `package main

import (
	"io"
	"net/http"
)

func serve(w http.ResponseWriter, r *http.Request) {
	io.Copy(w, r.Body)
}

func main() {}
`

func TestRequestBuffer(t *testing.T) {
	t.Run("io.ReadAll", func(t *testing.T) {
		s := newScene(t, buffers)
		s.churn("io.ReadAll", s.frame("serve", "io.ReadAll"))
		has(t, s.wants("request-buffer", "io.ReadAll").Title, "for every request by io.ReadAll")
	})
	t.Run("make", func(t *testing.T) {
		s := newScene(t, buffers)
		s.churn("runtime.makeslice", s.frame("serve", "buf := make"))
		has(t, s.wants("request-buffer", "buf := make").Remedy, "64 B on average")
	})
	t.Run("that there was no time to follow", func(t *testing.T) {
		s := newScene(t, buffers)
		s.late = true
		s.churn("runtime.makeslice", s.frame("serve", "buf := make"))
		has(t, s.wants("request-buffer", "buf := make").Remedy, "Find out whether anything keeps the buffer")
	})
	t.Run("io.Copy", func(t *testing.T) {
		s := newScene(t, copying)
		s.churn("io.copyBuffer@/go/src/io/io.go:1 io.Copy@/go/src/io/io.go:1", s.frame("serve", "io.Copy"))
		f := s.wants("request-buffer", "io.Copy")
		has(t, f.Remedy, "io.CopyBuffer")
		has(t, f.Example, "io.CopyBuffer(struct{ io.Writer }{w}, r, ")
	})
	t.Run("io.CopyN, called by the standard library", func(t *testing.T) {
		s := newScene(t, copying)
		s.churn("io.copyBuffer@/go/src/io/io.go:1 io.CopyN@/go/src/io/io.go:1 net/http.serveContent@/go/src/net/http/fs.go:1 net/http.ServeContent@/go/src/net/http/fs.go:1", s.frame("serve", "io.Copy"))
		f := s.wants("request-buffer", "io.Copy")
		has(t, f.Title, "http.ServeContent")
		has(t, f.Remedy, "give its writer a ReadFrom method")
		has(t, f.Example, "ReadFrom(r io.Reader)")
	})
	for function, want := range map[string]string{
		"count": "Take it from a pool, Reset it",
		"next":  "No pool: it is stored in d.buf at main.go:19. Where one is kept, Reset it",
	} {
		t.Run("bufio in "+function, func(t *testing.T) {
			s := newScene(t, readers)
			symbol := map[string]string{"count": "count", "next": "(*decoder).next"}[function]
			s.churn("bufio.NewReaderSize@/go/src/bufio/bufio.go:1 bufio.NewReader", s.frame(symbol, "NewReader(src) // in "+function))
			has(t, s.wants("request-buffer", "NewReader(src) // in "+function).Remedy, want)
		})
	}
	t.Run("that is kept", func(t *testing.T) {
		s := newScene(t, buffers)
		s.churn("", s.frame("serve", "buf := make"))
		s.heaps[0] = profiletest.NewHeap(0).Heap(1e6, 1e6, s.frame("serve", "buf := make")+start)
		s.wantsNone("request-buffer")
	})
}
