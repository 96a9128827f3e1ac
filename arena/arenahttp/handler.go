package arenahttp

import (
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

// Handler returns a handler that calls next with an arena of the pool in the
// request's context, and frees it when next has returned or panicked. A nil
// pool stands for the plain heap.
//
// The arena of an HTTP/2 request that ends with its context done is not freed
// but dropped, for the collector to find: its memory does not come back to the
// pool, and the tag arenadebug counts it as leaked.
func Handler(next http.Handler, pool *arena.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := pool.Get()
		defer func() {
			if !mayBeRead(r) {
				a.Free()
			}
		}()
		next.ServeHTTP(w, r.WithContext(arena.NewContext(r.Context(), a)))
	})
}

// mayBeRead tells whether the server may still read what the handler has passed
// to Write. Over HTTP/1 it never does. Over HTTP/2, Write hands long data to
// another goroutine and waits, but no longer than the stream lives
// (writeDataFromHandler in net/http): a frame on its way when the client resets
// the stream would carry what the next request writes to this memory. The
// context is cancelled before such a Write returns (closeStream), or in the same
// moment if the whole connection ends.
func mayBeRead(r *http.Request) bool {
	return r.ProtoMajor >= 2 && r.Context().Err() != nil
}
