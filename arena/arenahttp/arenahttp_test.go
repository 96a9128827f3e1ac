package arenahttp

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// handler answers with a body, a header and a trailer that lie in the arena.
func handler(w http.ResponseWriter, r *http.Request) {
	a := arena.FromContext(r.Context())
	id := r.URL.Query().Get("id")
	w.Header()[arena.String(a, "X-Id")] = arena.Append(a, nil, arena.String(a, id))
	w.Header().Set("Trailer", "X-After")
	switch r.URL.Path {
	case "/explicit":
		w.WriteHeader(http.StatusAccepted)
	case "/flush":
		w.(http.Flusher).Flush()
	case "/panic":
		panic(http.ErrAbortHandler)
	}
	b := arena.NewBuffer(a, 0)
	fmt.Fprint(b, "hello ", id)
	w.Write(b.Bytes())
	w.Header().Set("X-After", arena.Concat(a, "after ", id))
}

func TestMiddleware(t *testing.T) {
	for name, pool := range map[string]*arena.Pool{"arena": new(arena.Pool), "heap": nil} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(Middleware(pool, http.HandlerFunc(handler)))
			defer server.Close()
			var clients sync.WaitGroup
			for c := range 4 {
				clients.Go(func() {
					for i := range 30 {
						id := strings.Repeat(fmt.Sprint(c, "x", i, ","), 10)
						path := []string{"/implicit", "/explicit", "/flush"}[i%3]
						if err := get(server, path, id); err != nil {
							t.Error(err)
						}
					}
				})
			}
			clients.Wait()
			if resp, err := server.Client().Get(server.URL + "/panic"); err == nil {
				resp.Body.Close()
				t.Error("an aborted handler answered")
			}
		})
	}
}

func get(server *httptest.Server, path, id string) error {
	resp, err := server.Client().Get(server.URL + path + "?id=" + id)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	got := [...]string{string(body), resp.Header.Get("X-Id"), resp.Trailer.Get("X-After")}
	if want := [...]string{"hello " + id, id, "after " + id}; got != want {
		return fmt.Errorf("%s: %q, want %q", path, got, want)
	}
	return nil
}

func TestUnsupported(t *testing.T) {
	Middleware(nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, err := http.NewResponseController(w).Hijack(); err == nil {
			t.Error("a recorder cannot be hijacked")
		}
		if err := w.(http.Pusher).Push("/", nil); err != http.ErrNotSupported {
			t.Errorf("Push: %v", err)
		}
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}
