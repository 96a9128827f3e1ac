package arenahttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// overwrite lets others use the memory that is back in a pool.
func overwrite(pool *arena.Pool) {
	for range 8 {
		a := pool.Get()
		defer a.Free()
		arena.Bytes(a, bytes.Repeat([]byte("x"), 4<<10))
	}
}

// lazy makes its text when it is asked.
type lazy struct{ text string }

func (l *lazy) Error() string { return "no " + l.text }

// Middleware around Handler and the server read values of a handler when the arena
// has ended and other requests use its memory. A value that it puts into the request it
// has to promote.
func TestValuesReadAfterwards(t *testing.T) {
	const name = "X-Name"
	for _, test := range []struct {
		name   string
		handle func(w http.ResponseWriter, r *http.Request, secret string) // secret lies in the arena
		read   func(answer *http.Response, seen string) string
	}{
		{"panic", func(_ http.ResponseWriter, _ *http.Request, secret string) { panic(secret) },
			func(_ *http.Response, seen string) string { return seen }},
		{"panic with an error", func(_ http.ResponseWriter, _ *http.Request, secret string) { panic(errors.Join(&lazy{secret})) },
			func(_ *http.Response, seen string) string { return seen[len("no "):] }},
		{"body", func(w http.ResponseWriter, _ *http.Request, secret string) { io.WriteString(w, secret) },
			func(_ *http.Response, seen string) string { return seen }},
		{"header", func(w http.ResponseWriter, _ *http.Request, secret string) {
			w.Header().Set(name, secret)
		}, func(answer *http.Response, _ string) string { return answer.Header.Get(name) }},
		{"header sent early", func(w http.ResponseWriter, _ *http.Request, secret string) {
			w.Header().Set(name, secret)
			w.WriteHeader(http.StatusCreated)
		}, func(answer *http.Response, _ string) string { return answer.Header.Get(name) }},
		{"trailer", func(w http.ResponseWriter, _ *http.Request, secret string) {
			w.Header().Set(http.TrailerPrefix+name, secret)
		}, func(answer *http.Response, _ string) string { return answer.Trailer.Get(name) }},
		{"redirect", func(w http.ResponseWriter, r *http.Request, secret string) {
			http.Redirect(w, r, arena.Concat(arena.FromContext(r.Context()), "/", secret), http.StatusTemporaryRedirect)
		}, func(answer *http.Response, _ string) string { return answer.Header.Get("Location")[1:] }},
		{"header of the request", func(_ http.ResponseWriter, r *http.Request, secret string) {
			r.Header.Set(name, arena.Promote(secret))
		}, func(_ *http.Response, seen string) string { return seen }},
	} {
		for _, http2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/http2=%t", test.name, http2), func(t *testing.T) {
				var pool arena.Pool
				inner := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					test.handle(w, r, arena.String(arena.FromContext(r.Context()), r.URL.Query().Get("secret")))
				}), &pool)
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer func() {
						p := recover()
						overwrite(&pool)
						if p != nil {
							fmt.Fprint(w, p)
						}
						io.WriteString(w, r.Header.Get(name))
					}()
					inner.ServeHTTP(w, r)
				}))
				server.EnableHTTP2 = http2
				server.StartTLS()
				defer server.Close()
				client := server.Client()
				client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
				for i := range 20 {
					secret := fmt.Sprintf("secret-%02d", i)
					answer, err := client.Get(server.URL + "?secret=" + secret)
					if err != nil {
						t.Fatal(err)
					}
					body, err := io.ReadAll(answer.Body)
					answer.Body.Close()
					if got := test.read(answer, string(body)); err != nil || got != secret {
						t.Fatalf("got %q, %v; want %q", got, err, secret)
					}
				}
			})
		}
	}
}
