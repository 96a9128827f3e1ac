package arenahttp

import (
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

// Handler returns a handler that calls next with an arena of the pool in the
// request's context, and frees it when next has returned. A nil pool stands for the
// plain heap.
//
// The arena is not freed but left to the collector if next panics, because whoever
// recovers may read a value that refers to it, if the context of an HTTP/2 request is
// done when next returns, or if a Write of such a request has failed. Then its memory
// does not return to the pool, and builds with the tag arenadebug count it as leaked.
// Handler sees failed writes only of the server's own ResponseWriter: put middleware
// that replaces the writer inside Handler, not around it.
func Handler(next http.Handler, pool *arena.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := pool.Get()
		w, written := watch(w, r)
		next.ServeHTTP(w, r.WithContext(arena.NewContext(r.Context(), a)))
		if written() {
			a.Free()
		}
	})
}
