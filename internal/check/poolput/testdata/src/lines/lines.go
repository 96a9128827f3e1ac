// Package lines has faults whose end and use lie in functions that the package's other
// functions call.
package lines

import (
	"bytes"
	"compress/gzip"
	"io"
	"reflect"
	"sync"
)

type request struct{ query string }

var requests = sync.Pool{New: func() any { return new(request) }}

func serve(handle func(*request)) {
	r := requests.Get().(*request)
	handle(r)
	requests.Put(r)
}

func inBackground(r *request) {
	go func() {
		println(r.query) // want `r is used in a goroutine, which may still run when serve has put it into the pool`
	}()
}

func startInBackground() { serve(inBackground) }

func background() {
	r := requests.Get().(*request)
	go func() { println(r.query) }()
	requests.Put(r) // want `r is put into the pool while a goroutine may still use it`
}

// It is not blamed for background.
func callsBackground() { background() }

type reader struct{ r *request }

func open() *reader { return &reader{requests.Get().(*request)} }

// Next gives the request back at the end.
func (r *reader) Next() bool {
	if len(r.r.query) == 0 {
		requests.Put(r.r)
		return false
	}
	r.r.query = r.r.query[1:]
	return true
}

func (r *reader) Close() {
	requests.Put(r.r) // want `the pool twice`
}

func count() (n int) {
	r := open()
	defer r.Close()
	for n < 10 && r.Next() {
		n++
	}
	return n
}

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func closedLate(w io.Writer, text string) error {
	z := writers.Get().(*gzip.Writer)
	z.Reset(w)
	defer z.Close() // want `z is used by this deferred call after the Put in line \d+, which was deferred later and runs first`
	defer writers.Put(z)
	_, err := io.WriteString(z, text)
	return err
}

type unmarshaler interface{ UnmarshalJSON([]byte) error }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The error is a method's, and none of reflect's.
func unmarshals(v reflect.Value) error {
	if u, ok := v.Interface().(unmarshaler); ok {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()
		return u.UnmarshalJSON(b.Bytes())
	}
	return nil
}

type gzipWriter struct {
	io.Writer
	gw *gzip.Writer
}

func (g *gzipWriter) Write(p []byte) (int, error) {
	if g.gw == nil {
		g.gw = writers.Get().(*gzip.Writer)
		g.gw.Reset(g.Writer)
	}
	return g.gw.Write(p)
}

func (g *gzipWriter) Close() {
	if g.gw != nil {
		g.gw.Close()
		writers.Put(g.gw)
	}
}

func closesTwice(w io.Writer, text string) {
	g := &gzipWriter{Writer: w}
	defer g.Close()
	if _, err := io.WriteString(g, text); err != nil {
		return
	}
	g.Close() // want `g is put into the pool twice`
}
