package a

import (
	"context"
	"net/http"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenahttp"
)

// A gauge takes readings of a weather station.
type gauge struct{ log func(string) }

func (g *gauge) reading(w http.ResponseWriter, r *http.Request) {
	station := arena.String(arena.FromContext(r.Context()), r.URL.Path)
	go func() {
		g.log(station) // want `a goroutine uses station, memory of the request's arena, which ends when the handler returns`
	}()
	w.WriteHeader(http.StatusAccepted)
}

func (g *gauge) forecast(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		a := arena.FromContext(ctx)
		g.log(arena.Concat(a, "wind ", "north")) // want `a goroutine uses the arena of the request, which ends when the handler returns`
	}()
	w.WriteHeader(http.StatusAccepted)
}

func stations(mux *http.ServeMux, pool *arena.Pool, g *gauge) {
	mux.Handle("/reading", arenahttp.NewHandler(http.HandlerFunc(g.reading), pool))
	mux.Handle("/forecast", arenahttp.NewHandler(http.HandlerFunc(g.forecast), pool))
}
