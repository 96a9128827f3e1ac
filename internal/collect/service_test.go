package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// service answers by path as a Go service does; a test replaces the paths that it
// is about.
type service map[string]http.HandlerFunc

func newService(t *testing.T) service {
	memory := recordings()
	vars := uint32(0)
	var mu sync.Mutex
	return service{
		"/debug/pprof/heap":      beforeAndAfter(memory.heaps),
		"/debug/pprof/profile":   send(memory.cpu),
		"/debug/pprof/goroutine": send(memory.goroutine),
		"/debug/pprof/mutex":     send(memory.mutex),
		"/debug/pprof/trace":     send([]byte("go 1.26 trace\x00\x00\x00\x01")),
		"/metrics":               send([]byte(residentGauge + " 25571328\n")),
		"/debug/vars": func(w http.ResponseWriter, _ *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			vars += 10
			m := runtime.MemStats{NumGC: vars, PauseTotalNs: uint64(vars) * 1e6, TotalAlloc: uint64(vars) * 1000, Sys: 1 << 20}
			m.PauseNs[(vars+254)%256] = 5e6 // one cycle before the last
			json.NewEncoder(w).Encode(map[string]any{"memstats": &m, "cmdline": []string{"x"}})
		},
	}
}

func send(b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(b) }
}

// beforeAndAfter answers with one and from then on with the other.
func beforeAndAfter(heaps [2][]byte) http.HandlerFunc {
	var asked atomic.Int32
	return func(w http.ResponseWriter, _ *http.Request) { w.Write(heaps[min(asked.Add(1)-1, 1)]) }
}

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := s[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	http.NotFound(w, r)
}

// listener hands out the ends of pipes: an HTTP server and client on it live
// within a synctest bubble, whose clock runs as fast as they wait.
type listener struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

// start serves in the bubble and returns a plan that collects from it.
func start(t *testing.T, h http.Handler) Plan {
	l := &listener{conns: make(chan net.Conn), done: make(chan struct{})}
	srv := &http.Server{Handler: h}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return Plan{URL: "http://shop:6060", Dir: filepath.Join(t.TempDir(), "out"), dial: l.dial}
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, fmt.Errorf("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "bubble"} }

// recordings are profiles of this process: two of the heap, in between which it
// allocated, and one of each other kind.
var recordings = sync.OnceValue(func() (r struct {
	heaps                 [2][]byte
	cpu, goroutine, mutex []byte
}) {
	runtime.GC()
	r.heaps[0] = recorded("heap")
	for samples, work := int64(0), 20; samples < 30; work *= 2 { // so many that some fall on allocation
		var cpu bytes.Buffer
		if err := pprof.StartCPUProfile(&cpu); err != nil {
			panic(err)
		}
		for range work {
			waste()
		}
		pprof.StopCPUProfile()
		p, err := gpprof.ParseData(cpu.Bytes())
		if err != nil {
			panic(err)
		}
		r.cpu = cpu.Bytes()
		for _, s := range p.Sample {
			samples += s.Value[0]
		}
	}
	runtime.GC()
	r.heaps[1] = recorded("heap")
	r.goroutine, r.mutex = recorded("goroutine"), recorded("mutex")
	return r
})

// recorded returns a profile of this process as the runtime writes it.
func recorded(name string) []byte {
	var b bytes.Buffer
	if err := pprof.Lookup(name).WriteTo(&b, 0); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// contention returns a mutex and a block profile of goroutines that were in each
// other's way until both had seen it.
func contention() (mutex, block []byte) {
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	var mu sync.Mutex
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for pprof.Lookup("mutex").Count() == 0 || pprof.Lookup("block").Count() == 0 {
				mu.Lock()
				runtime.Gosched() // to the other, which wants the lock
				mu.Unlock()
			}
		})
	}
	both.Wait()
	return recorded("mutex"), recorded("block")
}

var sink []byte

//go:noinline
func waste() {
	for range 100 {
		sink = make([]byte, 64<<10)
	}
}

// names returns the names in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // it is made for the first file
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// wantWhole checks that under every final name there is something whole.
func wantWhole(t *testing.T, dir string) {
	t.Helper()
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasSuffix(name, ".pb.gz"):
			if _, err := gpprof.ParseData(data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case strings.HasSuffix(name, ".json"):
			if !json.Valid(data) {
				t.Errorf("%s is not JSON", name)
			}
		case strings.HasSuffix(name, ".html"):
			if !strings.HasSuffix(string(data), "</html>\n") {
				t.Errorf("%s is cut short", name)
			}
		case !strings.HasSuffix(name, ".trace"):
			t.Errorf("%s was left behind", name)
		}
	}
}
