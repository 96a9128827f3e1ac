package clean

import (
	"net/http"
	"sync"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenahttp"
)

// The handler waits for its goroutine.
func tide(w http.ResponseWriter, r *http.Request) {
	harbor := arena.String(arena.FromContext(r.Context()), r.URL.Path)
	var wg sync.WaitGroup
	wg.Add(1)
	n := 0
	go func() {
		defer wg.Done()
		n = len(harbor)
	}()
	wg.Wait()
	w.WriteHeader(200 + n)
}

// The goroutine has a copy.
func swell(w http.ResponseWriter, r *http.Request) {
	harbor := arena.Clone(arena.String(arena.FromContext(r.Context()), r.URL.Path))
	go println(harbor)
	w.WriteHeader(http.StatusAccepted)
}

func harbors(mux *http.ServeMux, pool *arena.Pool) {
	mux.Handle("/tide", arenahttp.NewHandler(http.HandlerFunc(tide), pool))
	mux.Handle("/swell", arenahttp.NewHandler(http.HandlerFunc(swell), pool))
}
