package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

// The answers of a Pyroscope to a push are final for a profile, or for now.
func TestPush(t *testing.T) {
	var status int
	var text string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/push.v1.PusherService/Push" || r.Header.Get("Content-Type") != "application/proto" {
			t.Error(r.Method, r.URL, r.Header)
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}))
	defer server.Close()
	s := NewStore(server.URL, Auth{Token: "secret"})
	for _, c := range []struct {
		status int
		text   string
		want   error
	}{
		{200, "", nil},
		{422, "too old", forward.ErrTime},
		{400, `{"code":"invalid_argument","message":"profile with labels '{}' is outside of ingestion window"}`, forward.ErrTime},
		{400, `{"code":"invalid_argument","message":"too many labels"}`, forward.ErrRefused},
		{413, "", forward.ErrRefused},
		{429, `{"code":"resource_exhausted"}`, errLater},
		{401, "", errLater}, {404, "", errLater}, {500, "", errLater}, {503, strings.Repeat("\x1b[31mx", 1000), errLater},
		{302, "", errLater},
	} {
		status, text = c.status, c.text
		err := s.Push(t.Context(), nil)
		final := errors.Is(err, forward.ErrTime) || errors.Is(err, forward.ErrRefused)
		if (err == nil) != (c.want == nil) || c.want == errLater && final || c.want != errLater && !errors.Is(err, c.want) {
			t.Errorf("%d: %v", c.status, err)
		}
		if err != nil && (strings.Contains(err.Error(), "\x1b") || strings.Contains(err.Error(), "secret") || len(err.Error()) > 1000) {
			t.Errorf("%d: %v", c.status, err)
		}
	}
	server.Close()
	if err := s.Push(t.Context(), nil); err == nil || errors.Is(err, forward.ErrRefused) {
		t.Errorf("gone: %v", err)
	}
}

// errLater stands for errors after which a profile is pushed again.
var errLater = errors.New("later")

// A server that forwards to another one reads the same back, although the other one was away
// at first and restarted later. Figures of processes stay with the first.
func TestForwarding(t *testing.T) {
	there, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	address := l.Addr().String()
	here, err := serve.Open(serve.Options{Dir: t.TempDir(), From: NewStore("http://"+address, Auth{}), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 2)
	for _, s := range []*serve.Server{here, there} {
		go func() { ran <- s.Run(ctx) }()
	}
	defer func() {
		cancel()
		if err := errors.Join(<-ran, <-ran); err != nil {
			t.Error(err)
		}
	}()
	now := time.Now()
	labels := store.Labels{"instance": "a", "version": "v1"}
	add := func(i int, p *profiletest.Profile, evidence bool) {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		e := store.Entry{Service: "shop", Labels: labels, Time: now.Add(time.Duration(i-10) * time.Minute), Evidence: evidence}
		if _, err := here.Append(ctx, e, b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	pushed := make(chan bool, 100)
	start := func() *httptest.Server {
		h := web.New(there, web.Options{Log: slog.New(slog.DiscardHandler)})
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			if strings.HasSuffix(r.URL.Path, "/Push") {
				pushed <- true
			}
		}))
		server.Listener.Close()
		if server.Listener, err = net.Listen("tcp", address); err != nil {
			t.Fatal(err)
		}
		server.Start()
		return server
	}
	for i := range 3 {
		add(i, profiletest.NewHeap(0).Heap(int64(1000+100*i), 10, stack), i == 1)
	}
	server := start()
	for range 3 {
		<-pushed
	}
	server.Close()
	cpu := profiletest.NewCPU().CPU(50, stack)
	cpu.DurationNanos = 10e9
	add(4, cpu, false)
	server = start()
	defer server.Close()
	for here.Fleet().Forward.Sent < 4 { // a push is counted before the next one begins
		<-pushed
		add(5, profiletest.NewCPU().CPU(50, stack), false)
	}
	figures := store.Entry{Service: "shop", Kind: store.Figures, Labels: labels, Time: now.Add(-time.Minute),
		Figures: []store.Figure{{Name: "rss_bytes", Value: 12345}}}
	if _, err := here.Append(ctx, figures, nil); err != nil {
		t.Fatal(err)
	}
	w := serve.Window{Service: "shop", From: now.Add(-time.Hour), To: now.Add(time.Minute)}
	heap, err := there.Merge(ctx, w, store.Heap)
	if err != nil || heap.Total(0) != 200 || heap.Total(2) != 10 {
		t.Error("there:", heap, err)
	}
	j := here.Judge(ctx, w)
	if j.Err != nil || j.Usage.Processes != 1 || j.Usage.Bytes != 12345 || len(j.Usage.Versions) != 1 {
		t.Errorf("%+v", j.Usage)
	}
	alarms, err := here.Store().Select(ctx, store.Query{Service: "shop", Kind: store.Alarm, From: w.From, To: w.To})
	if err != nil || len(alarms) != 1 || !alarms[0].Evidence {
		t.Error(alarms, err)
	}
	if f := here.Fleet().Forward; f == nil || f.Sent < 4 || len(f.Lost) > 0 {
		t.Errorf("%+v", f)
	}
}
