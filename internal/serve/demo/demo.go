// Package demo holds three small services for heapwright serve -demo. Each puts itself
// under load and has one planted problem, which its guide names.
//
// The services run as processes of their own, because a profile is of a process. They
// end with their standard input, so none survives its parent, however that ends.
package demo

import (
	"context"
	"expvar"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"slices"
	"time"
)

// services are all services: each returns the work of one tick.
var services = map[string]func() func(){
	"checkout": newCheckout,
	"search":   newSearch,
	"sessions": newSessions,
}

// Names returns the names of the services, sorted.
func Names() []string { return slices.Sorted(maps.Keys(services)) }

// tick is the distance of two bursts of work. All services together use about a third
// of a core.
const tick = 20 * time.Millisecond

// Run runs a service until in ends or the context does. It writes the service's URL to
// out as soon as it answers.
func Run(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	start, ok := services[name]
	if !ok {
		return fmt.Errorf("no service %q in the demo; it has %v", name, Names())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{Handler: mux()}
	go func() {
		io.Copy(io.Discard, in) // any error ends it, too
		cancel()
	}()
	context.AfterFunc(ctx, func() { server.Close() })
	go work(ctx, start())
	if _, err := fmt.Fprintf(out, "http://%s\n", l.Addr()); err != nil {
		return err
	}
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

func work(ctx context.Context, do func()) {
	// Enough samples of memory in the first minute of a service that allocates little.
	runtime.MemProfileRate = 64 << 10
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}

func mux() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("/debug/pprof/", pprof.Index)
	m.HandleFunc("/debug/pprof/profile", pprof.Profile)
	m.Handle("/debug/vars", expvar.Handler())
	return m
}
