// Package arenahttp gives every HTTP request an arena that ends with it.
//
// The arena is freed after the handler has returned; what the handler wrote has
// been copied by then. Header values are sent later, so those that lie in an
// arena are copied to the heap first. Nothing else of the arena may be kept, and
// goroutines that the handler started must not use it any more.
package arenahttp

import (
	"net/http"

	"github.com/heapwright/heapwright/arena"
)

// Middleware serves requests with next, each with an arena of pool in its
// context; [arena.FromContext] returns it. With a nil pool the arena is nil,
// the heap. It may be used concurrently.
func Middleware(pool *arena.Pool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := pool.Get()
		defer a.Free() // also when the handler panics
		defer promote(w.Header())
		next.ServeHTTP(&responseWriter{ResponseWriter: w}, r.WithContext(arena.NewContext(r.Context(), a)))
	})
}
