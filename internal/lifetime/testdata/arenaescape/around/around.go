// Package around has handlers around those of arenahttp, which read requests when the arena of the
// request has ended.
package around

import (
	"context"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenahttp"
)

func rewritten(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := arena.FromContext(r.Context())
		r.URL.Path = arena.Concat(a, "/v1", r.URL.Path) // want `memory of the arena of the request is kept in r.URL, which a handler around this one reads later`
		r.URL.RawQuery = arena.Concat(a, r.URL.RawQuery, "&all")
		next.ServeHTTP(w, r)
	})
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		log.Println(r.Method, r.URL.Path)
	})
}

func routes(mux *http.ServeMux, pool *arena.Pool) http.Handler {
	return logged(arenahttp.NewHandler(rewritten(mux), pool))
}

// A traced handler reads the header in a deferred call.
type traced struct{ inner http.Handler }

func (t *traced) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() { log.Println(r.Header.Get("Trace")) }()
	t.inner.ServeHTTP(w, r)
}

func newTraced(pool *arena.Pool) http.Handler {
	return &traced{arenahttp.NewHandler(http.HandlerFunc(named), pool)}
}

func named(w http.ResponseWriter, r *http.Request) {
	a := arena.FromContext(r.Context())
	r.Header.Set("Trace", arena.Concat(a, r.Host, r.Method)) // want `memory of the arena of the request is kept in r.Header, which`
}

func copied(w http.ResponseWriter, r *http.Request) {
	a := arena.FromContext(r.Context())
	r.Header.Set("Trace", strings.Clone(arena.Concat(a, r.Host, r.Method)))
}

// The value in the context belongs to the handler around.
type infoKey struct{}

type info struct{ user, route string }

func informed(pool *arena.Pool) http.Handler {
	inner := arenahttp.NewHandler(http.HandlerFunc(informs), pool)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := new(info)
		inner.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), infoKey{}, i)))
		log.Println(i.route)
	})
}

func informs(w http.ResponseWriter, r *http.Request) {
	if i, ok := r.Context().Value(infoKey{}).(*info); ok {
		i.user = arena.Concat(arena.FromContext(r.Context()), "user ", r.Host)
		i.route = arena.Concat(arena.FromContext(r.Context()), r.Method, r.Pattern) // want `memory of the arena of the request is kept in the context's value, which`
	}
}

// The variables that a handler has captured are there for the next request, too.
type counts struct {
	mu      sync.Mutex
	byLabel map[string]int
}

func (c *counts) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.byLabel[arena.Concat(arena.FromContext(r.Context()), r.Method, r.Pattern)]++ // want `memory of the arena of the request is kept in what c refers to`
	})
}
