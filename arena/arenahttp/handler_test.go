package arenahttp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heapwright/heapwright/arena"
)

// freed reports whether a was freed: then every use panics.
func freed(a *arena.Arena) (yes bool) {
	defer func() { yes = recover() != nil }()
	a.Stats()
	return false
}

// serve runs a real server with h in the middleware. When the middleware has
// returned, it sends on the channel whether it has freed the arena; the channel has
// room for 64.
func serve(t *testing.T, h http.HandlerFunc, http2 bool) (*httptest.Server, <-chan bool) {
	t.Helper()
	ends := make(chan bool, 64)
	var pool arena.Pool
	outer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a *arena.Arena
		inner := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a = arena.FromContext(r.Context())
			h(w, r)
		}), &pool)
		defer func() { ends <- freed(a) }()
		inner.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(outer)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // which would log the panics
	if http2 {
		server.EnableHTTP2 = true
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server, ends
}

func get(client *http.Client, url string) (string, error) {
	response, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// Long answers bypass the server's buffers, short ones are still in them when
// the arena is freed.
func TestConcurrentRequests(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("http2=%t", http2), func(t *testing.T) {
			server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
				a := arena.FromContext(r.Context())
				page := arena.NewBuffer(a, 0)
				word := arena.String(a, r.URL.Query().Get("word"))
				for range len(word) * len(word) * 100 {
					page.WriteString(word)
				}
				w.Write(page.Bytes())
			}, http2)
			const clients, rounds = 8, 8
			var all sync.WaitGroup
			for i := range clients {
				all.Go(func() {
					word := strings.Repeat(string(rune('a'+i)), i+1)
					want := strings.Repeat(word, len(word)*len(word)*100)
					for range rounds {
						if got, err := get(server.Client(), server.URL+"?word="+word); err != nil || got != want {
							t.Errorf("%s: %d bytes, %v; want %d bytes of it", word, len(got), err, len(want))
						}
					}
				})
			}
			all.Wait()
			for range clients * rounds {
				if !<-ends {
					t.Error("an arena was not freed")
				}
			}
		})
	}
}

func TestPanicDropsTheArena(t *testing.T) {
	for _, value := range []any{http.ErrAbortHandler, "a bug"} {
		server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
			arena.New[int](arena.FromContext(r.Context()))
			panic(value)
		}, false)
		if _, err := get(server.Client(), server.URL); err == nil {
			t.Errorf("panic(%v): the client saw no error", value)
		}
		if <-ends {
			t.Errorf("panic(%v): the arena was freed", value)
		}
	}
}

func TestStreamMayReset(t *testing.T) {
	server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
		a := arena.FromContext(r.Context())
		for i := range 100 {
			event := arena.NewBuffer(a, 0)
			fmt.Fprintf(event, "event %d\n", i)
			w.Write(event.Bytes())
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			a.Reset()
		}
	}, false)
	got, err := get(server.Client(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&want, "event %d\n", i)
	}
	if got != want.String() {
		t.Errorf("got %q", got)
	}
	if !<-ends {
		t.Error("the arena was not freed")
	}
}

// The arena ends with the handler, the connection that it took over does not.
func TestHijack(t *testing.T) {
	proceed := make(chan struct{})
	server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		go func() {
			defer conn.Close()
			<-proceed
			io.WriteString(conn, "HTTP/1.0 200 OK\r\n\r\nlater")
		}()
	}, false)
	var got string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = get(server.Client(), server.URL)
	}()
	if !<-ends {
		t.Error("the arena was not freed")
	}
	close(proceed)
	<-done
	if err != nil || got != "later" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Over HTTP/1 a client that goes away changes nothing. Over HTTP/2 a frame may
// be on its way, so the memory is left to the collector.
func TestClientGoesAway(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("http2=%t", http2), func(t *testing.T) {
			server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
				block := arena.Bytes(arena.FromContext(r.Context()), bytes.Repeat([]byte("x"), 1<<20))
				for {
					if _, err := w.Write(block); err != nil {
						<-r.Context().Done()
						return
					}
				}
			}, http2)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			request, err := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := server.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if _, err := bufio.NewReader(response.Body).Peek(1); err != nil {
				t.Fatal(err)
			}
			cancel()
			if got, want := <-ends, !http2; got != want {
				t.Errorf("the arena was freed: %t, want %t", got, want)
			}
		})
	}
}

// dying is the writer of a connection that ends: its Write fails while the
// context of the request is not done yet.
type dying struct{ *httptest.ResponseRecorder }

func (dying) Write([]byte) (int, error)            { return 0, io.ErrClosedPipe }
func (dying) Push(string, *http.PushOptions) error { return http.ErrNotSupported }
func (dying) CloseNotify() <-chan bool             { return nil }
func (dying) FlushError() error                    { return nil }

func TestFailedWriteDropsTheArena(t *testing.T) {
	for major, want := range map[int]bool{1: true, 2: false} {
		var a *arena.Arena
		h := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a = arena.FromContext(r.Context())
			if _, err := w.Write(arena.Bytes(a, []byte("lost"))); err == nil {
				t.Error("the write did not fail")
			}
		}), new(arena.Pool))
		r := httptest.NewRequest("GET", "/", nil)
		r.ProtoMajor = major
		h.ServeHTTP(dying{httptest.NewRecorder()}, r)
		if got := freed(a); got != want {
			t.Errorf("HTTP/%d: the arena was freed: %t, want %t", major, got, want)
		}
	}
}

// The methods of the server's writer beyond Write must not be lost.
func TestWriterOfHTTP2(t *testing.T) {
	server, ends := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := w.(http2Writer); !ok || r.ProtoMajor != 2 {
			t.Errorf("HTTP/%d has a %T", r.ProtoMajor, w)
		}
		c := http.NewResponseController(w)
		for what, err := range map[string]error{
			"EnableFullDuplex": c.EnableFullDuplex(),
			"SetReadDeadline":  c.SetReadDeadline(time.Time{}),
			"SetWriteDeadline": c.SetWriteDeadline(time.Time{}),
			"Flush":            c.Flush(),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		io.WriteString(w, "fine")
	}, true)
	if got, err := get(server.Client(), server.URL); got != "fine" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if !<-ends {
		t.Error("the arena was not freed")
	}
}

// Inside a TimeoutHandler, the arena lives as long as the handler does, not as
// long as the client waits.
func TestTimeoutHandlerOutside(t *testing.T) {
	var pool arena.Pool
	proceed, done := make(chan struct{}), make(chan error, 2)
	slow := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := arena.FromContext(r.Context())
		<-proceed
		if freed(a) {
			done <- fmt.Errorf("the arena was freed while the handler ran")
		}
		_, err := w.Write(arena.Bytes(a, []byte("too late")))
		if err == http.ErrHandlerTimeout {
			err = nil
		}
		done <- err
	}), &pool)
	server := httptest.NewServer(http.TimeoutHandler(slow, 1, "timeout"))
	defer server.Close()
	if got, err := get(server.Client(), server.URL); err != nil || got != "timeout" {
		t.Errorf("got %q, %v", got, err)
	}
	close(proceed)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestNilPoolIsTheHeap(t *testing.T) {
	h := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := arena.FromContext(r.Context()); a != nil {
			t.Error("there is an arena")
		}
	}), nil)
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}

// A request whose body is still under way holds no memory of an earlier, large one.
func TestSlowBodyHoldsNoArena(t *testing.T) {
	var pool arena.Pool
	first := pool.Get()
	arena.MakeSlice[byte](first, 1<<20, 1<<20)
	first.Free()
	again := pool.Get()
	if again.Stats().Retained < 1<<20 {
		t.Skip("this build does not reuse memory")
	}
	again.Free()

	body, send := io.Pipe()
	reading, ended := make(chan struct{}), make(chan *arena.Arena)
	go func() {
		var ctx context.Context
		h := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx = r.Context()
			close(reading)
			io.Copy(io.Discard, r.Body)
		}), &pool)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", body))
		ended <- arena.FromContext(ctx)
	}()
	<-reading
	if got := pool.Get().Stats().Retained; got < 1<<20 {
		t.Errorf("while a body is read, the pool has an arena of %d bytes, want one of 1 MiB", got)
	}
	send.Close()
	if a := <-ended; !freed(a) {
		t.Error("whoever asks after the end gets an arena that is in use")
	}
}

func TestOneArenaPerRequest(t *testing.T) {
	var pool arena.Pool
	h := NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		var all [8]*arena.Arena
		var wg sync.WaitGroup
		for i := range all {
			wg.Go(func() { all[i] = arena.FromContext(ctx) })
		}
		wg.Wait()
		for _, a := range all {
			if a == nil || a != all[0] {
				t.Errorf("the arenas %p and %p", a, all[0])
			}
		}
	}), &pool)
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}
