package lent

import (
	"compress/gzip"
	"io"
	"net/http"
	"sync"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type response struct {
	http.ResponseWriter
	gz *gzip.Writer
}

func (r *response) Write(p []byte) (int, error) {
	if r.gz == nil {
		r.gz = writers.Get().(*gzip.Writer)
		r.gz.Reset(r.ResponseWriter)
	}
	return r.gz.Write(p)
}

func (r *response) Close() error {
	if r.gz == nil {
		return nil
	}
	err := r.gz.Close()
	writers.Put(r.gz) // want `Close leaves the field gz set, so if somebody has called it, the deferred call in line \d+ puts the same value again`
	return err
}

func wrong(h http.Handler, w http.ResponseWriter, req *http.Request) {
	r := &response{ResponseWriter: w}
	defer r.Close()
	h.ServeHTTP(r, req)
}

func last(w http.ResponseWriter) error {
	if c, ok := w.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

type cleared struct {
	http.ResponseWriter
	gz *gzip.Writer
}

func (r *cleared) Close() error {
	if r.gz == nil {
		return nil
	}
	err := r.gz.Close()
	writers.Put(r.gz)
	r.gz = nil
	return err
}

func right(h http.Handler, w http.ResponseWriter, req *http.Request) {
	r := &cleared{w, writers.Get().(*gzip.Writer)}
	defer r.Close()
	h.ServeHTTP(r, req)
}

// The method is called once: nobody else gets the value.
type alone struct{ gz *gzip.Writer }

func (a *alone) Close() error {
	if a.gz == nil {
		return nil
	}
	err := a.gz.Close()
	writers.Put(a.gz)
	return err
}

func compress(w io.Writer, text string) error {
	a := &alone{writers.Get().(*gzip.Writer)}
	defer a.Close()
	a.gz.Reset(w)
	_, err := io.WriteString(a.gz, text)
	return err
}
