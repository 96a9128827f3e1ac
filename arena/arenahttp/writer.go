package arenahttp

import (
	"io"
	"net/http"
)

// http2Writer has the methods of the server's ResponseWriter over HTTP/2, except
// those that http.ResponseController finds by Unwrap.
type http2Writer interface {
	http.ResponseWriter
	http.Flusher
	http.Pusher
	io.StringWriter
	CloseNotify() <-chan bool
	FlushError() error
}

// A failureWriter records whether a Write has failed. WriteString need not be
// watched: it copies.
type failureWriter struct {
	http2Writer
	failed bool
}

func (w *failureWriter) Write(p []byte) (int, error) {
	n, err := w.http2Writer.Write(p)
	w.failed = w.failed || err != nil
	return n, err
}

func (w *failureWriter) Unwrap() http.ResponseWriter { return w.http2Writer }

// watch returns the writer for a handler, and a function to call when the handler has
// returned. It reports whether the server has read all data that was passed to Write.
// Over HTTP/1 it always has. Over HTTP/2, Write hands long data to another goroutine
// and waits, but no longer than the stream and the connection live
// (writeDataFromHandler in net/http): a frame that is being sent at their end would
// carry bytes of the next request in this memory. The context is cancelled before a
// Write returns because of the stream (closeStream), but after it returns because of
// the connection (serve, in net/http's HTTP/2 server); then the Write fails.
func watch(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, func() bool) {
	if r.ProtoMajor < 2 {
		return w, func() bool { return true }
	}
	own, ok := w.(http2Writer)
	if !ok {
		return w, func() bool { return r.Context().Err() == nil }
	}
	seen := &failureWriter{http2Writer: own}
	return seen, func() bool { return !seen.failed && r.Context().Err() == nil }
}
