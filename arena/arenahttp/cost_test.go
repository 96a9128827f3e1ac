package arenahttp

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// BenchmarkHandler measures a request without a server: the arena costs its
// context and a copy of the request.
func BenchmarkHandler(b *testing.B) {
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct {
		name    string
		handler http.Handler
	}{{"without", nothing}, {"with", NewHandler(nothing, new(arena.Pool))}} {
		b.Run(c.name, func(b *testing.B) {
			w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
			b.ReportAllocs()
			for b.Loop() {
				c.handler.ServeHTTP(w, r)
			}
		})
	}
}
