package arenahttp

import (
	"bufio"
	"io"
	"maps"
	"net"
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

// responseWriter makes the header independent of arenas before net/http takes
// it, which is at the first write.
type responseWriter struct {
	http.ResponseWriter
	sent bool // net/http has taken the header; trailers follow at the end
}

// promote copies what lies in an arena; keys as well as values.
func promote(h http.Header) {
	for key, values := range maps.Clone(h) {
		values = arena.Clone(values)
		for i, v := range values {
			values[i] = arena.Clone(v)
		}
		delete(h, key)
		h[arena.Clone(key)] = values
	}
}

// promoteHeader does so before the first write.
func (w *responseWriter) promoteHeader() {
	if !w.sent {
		promote(w.Header())
		w.sent = true
	}
}

func (w *responseWriter) WriteHeader(status int) {
	w.promoteHeader()
	w.sent = status >= 200 || status == http.StatusSwitchingProtocols // others are informational
	w.ResponseWriter.WriteHeader(status)
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.promoteHeader()
	return w.ResponseWriter.Write(p)
}

func (w *responseWriter) WriteString(s string) (int, error) {
	w.promoteHeader()
	return io.WriteString(w.ResponseWriter, s)
}

func (w *responseWriter) ReadFrom(r io.Reader) (int64, error) {
	w.promoteHeader()
	return io.Copy(w.ResponseWriter, r)
}

// Flush does nothing if the server cannot flush.
func (w *responseWriter) Flush() { _ = w.FlushError() }

func (w *responseWriter) FlushError() error {
	w.promoteHeader()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack returns http.ErrNotSupported if the server cannot hand over the
// connection.
func (w *responseWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Push returns http.ErrNotSupported if the server cannot push.
func (w *responseWriter) Push(target string, opts *http.PushOptions) error {
	if p, ok := w.ResponseWriter.(http.Pusher); ok {
		return p.Push(target, opts)
	}
	return http.ErrNotSupported
}

// Unwrap serves http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
