package arenahttp

import (
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

// Handler returns a handler that calls next with an arena of the pool in the
// request's context, and frees it when next has returned or panicked. A nil
// pool stands for the plain heap.
//
// The arena of an HTTP/2 request that ends with its context done, or of which a
// Write has failed, is not freed but dropped, for the collector to find: its
// memory does not come back to the pool, and the tag arenadebug counts it as
// leaked. Failed writes are seen if w is the server's own; put middleware that
// replaces it inside Handler, not around it.
func Handler(next http.Handler, pool *arena.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := pool.Get()
		w, written := watch(w, r)
		defer func() {
			if written() {
				a.Free()
			}
		}()
		next.ServeHTTP(w, r.WithContext(arena.NewContext(r.Context(), a)))
	})
}
