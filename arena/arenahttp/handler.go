package arenahttp

import (
	"net/http"
	"slices"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

// NewHandler returns a handler that calls next with a context whose [arena.FromContext]
// takes an arena of the pool at the first call, and frees the arena when next has
// returned. A nil pool stands for the plain heap.
//
// The arena is not freed but left to the collector
//
//   - if next panics, because whoever recovers may read a value that refers to it,
//   - if a name or value of the response's header or trailer lies in an arena, because
//     the server writes them later, and keeps them as long as an HTTP/2 connection,
//   - if the context of an HTTP/2 request is done when next returns, or a Write of such
//     a request has failed.
//
// Then its memory does not return to the pool, and builds with the tag arenadebug count
// it as leaked. The handler sees failed writes only of the server's own ResponseWriter: put
// middleware that replaces the writer inside it, not around it.
//
// A request holds the memory of its arena, which an earlier, large request may have
// grown, from the first FromContext on: read a body before that call. A client that is slow
// to read the response still holds it: set WriteTimeout of [http.Server], and
// [arena.Pool].Retain if many clients are slow.
func NewHandler(next http.Handler, pool *arena.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{Context: r.Context(), pool: pool}
		w, written := watch(w, r)
		next.ServeHTTP(w, r.WithContext(c))
		c.end(func() bool { return written() && !inArena(w.Header()) })
	})
}

// inArena reports whether a name or value of a header lies in an arena.
func inArena(h http.Header) bool {
	in := func(text string) bool { return unsafe.StringData(arena.Clone(text)) != unsafe.StringData(text) }
	for name, values := range h {
		if in(name) || slices.ContainsFunc(values, in) {
			return true
		}
	}
	return false
}
