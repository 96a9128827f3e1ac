// Package sessions keeps memory of the arenas of its requests.
package sessions

import (
	"net/http"
	"sync"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenahttp"
)

type session struct{ user string }

var sessions sync.Map

func login(w http.ResponseWriter, r *http.Request) {
	s := arena.New[session](arena.FromContext(r.Context()))
	s.user = r.FormValue("user")
	sessions.Store(r.FormValue("token"), s) // want `memory of the arena of the request is kept in the package's variable sessions`
}

func logout(w http.ResponseWriter, r *http.Request) {
	s := arena.New[session](arena.FromContext(r.Context()))
	s.user = r.FormValue("user")
	sessions.Store(r.FormValue("token"), arena.Clone(s))
}

func register(mux *http.ServeMux, pool *arena.Pool) {
	mux.Handle("/login", arenahttp.NewHandler(http.HandlerFunc(login), pool))
	mux.Handle("/logout", arenahttp.NewHandler(http.HandlerFunc(logout), pool))
}
