package arenahttp

import (
	"io"
	"net/http"
)

// http2Writer has the methods of net/http's ResponseWriter for HTTP/2. The methods for
// deadlines and full duplex are missing, because http.ResponseController finds them by
// Unwrap.
type http2Writer interface {
	http.ResponseWriter
	http.Flusher
	http.Pusher
	io.StringWriter
	CloseNotify() <-chan bool
	FlushError() error
}

// A failureWriter records whether a Write has failed. Failures of WriteString do not
// matter, because it copies its text.
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

// watch returns the writer to give to a handler, and a function that reports, after the
// handler has returned, whether the server no longer reads data that was passed to Write.
//
// Over HTTP/1 it never does. Over HTTP/2, Write hands long data to another goroutine and
// waits, but only while the stream and the connection live (writeDataFromHandler in
// net/http). If Write returns early, a frame that is still being sent would carry bytes
// of the next request that uses this memory. Two signs show an early return. If the
// stream ended, the context was cancelled before Write returned (closeStream). If the
// connection ended, the context is cancelled later, but Write fails (serve, in net/http's
// HTTP/2 server).
func watch(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, func() bool) {
	if r.ProtoMajor < 2 {
		return w, func() bool { return true }
	}
	server, ok := w.(http2Writer)
	if !ok { // a writer of middleware, whose failures are not seen
		return w, func() bool { return r.Context().Err() == nil }
	}
	watched := &failureWriter{http2Writer: server}
	return watched, func() bool { return !watched.failed && r.Context().Err() == nil }
}
