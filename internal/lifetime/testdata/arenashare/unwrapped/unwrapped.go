// Package unwrapped has handlers for a server in another package.
package unwrapped

import (
	"net/http"
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type visit struct{ page string }

func record(v *visit) { println(v.page) }

func Page(w http.ResponseWriter, r *http.Request) {
	mem := arena.FromContext(r.Context())
	v := arena.New[visit](mem)
	v.page = arena.String(mem, r.URL.Path)
	go record(v) // want `a goroutine uses v, memory of the request's arena, which ends when the handler returns`
	w.WriteHeader(http.StatusOK)
}

func Waits(w http.ResponseWriter, r *http.Request) {
	v := arena.New[visit](arena.FromContext(r.Context()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		record(v)
	}()
	<-done
}

type counter struct{ running sync.WaitGroup }

// Its caller waits.
func (c *counter) count(w http.ResponseWriter, r *http.Request) {
	v := arena.New[visit](arena.FromContext(r.Context()))
	c.running.Go(func() { record(v) })
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.count(w, r)
	c.running.Wait()
}
