package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/heapwright/heapwright/workloads/program/command"
)

func serve(t *testing.T) (*httptest.Server, signer) {
	t.Helper()
	u, err := startUpstreams(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.close)
	g := &gateway{signer: "key", sessions: newSessions(1 << 20), upstreams: u, garbage: 4096}
	s := httptest.NewServer(g.handler())
	t.Cleanup(s.Close)
	return s, g.signer
}

func TestRequests(t *testing.T) {
	s, sign := serve(t)
	good := sign.token("user-7")
	for _, tt := range []struct {
		name, method, path, token, body string
		status                          int
		has                             string
	}{
		{"reads an order", "GET", "/v1/orders/42", good, "", 200, `"id":"42"`},
		{"merges the upstreams", "POST", "/v1/orders", good, `{"lines":[{"sku":"abc","quantity":2}]}`, 200, `"total":600`},
		{"without a token", "GET", "/v1/orders/42", "", "", 401, "gateway -token"},
		{"with somebody else's signature", "GET", "/v1/orders/42", "user-8" + strings.TrimPrefix(good, "user-7"), "", 401, "send a token"},
		{"body is no JSON", "POST", "/v1/orders", good, "{", 400, "not an order"},
		{"empty order", "POST", "/v1/orders", good, "{}", 400, "the order is empty"},
		{"no such route", "GET", "/v1/nothing", good, "", 404, ""},
		{"ready", "GET", "/healthz", "", "", 200, "ok"},
		{"metrics", "GET", "/metrics", "", "", 200, "gateway_request_seconds_count"},
		{"profiles", "GET", "/debug/pprof/heap?debug=1", "", "", 200, "heap profile"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequest(tt.method, s.URL+tt.path, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if tt.token != "" {
				req.Header.Set("Authorization", "Bearer "+tt.token)
			}
			resp, err := s.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != tt.status || !strings.Contains(string(body), tt.has) {
				t.Errorf("%d %s %v; want %d and %q", resp.StatusCode, body, err, tt.status, tt.has)
			}
			if strings.HasPrefix(tt.path, "/v1/orders") && !json.Valid(body) {
				t.Errorf("not JSON: %q", body)
			}
		})
	}
}

func live() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestLiveHeapIsAsAskedFor(t *testing.T) {
	const want = 64 << 20
	before := live()
	all := newSessions(want)
	got := live() - before
	runtime.KeepAlive(all)
	if got < want*85/100 || got > want*115/100 {
		t.Errorf("%d bytes live, want about %d", got, want)
	}
}

func TestLeakIsAsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := live()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go leak(ctx, 4<<20)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		const want = 40 << 20
		if got := live() - before; got < want*85/100 || got > want*115/100 {
			t.Errorf("%d bytes live after 10 s, want about %d", got, want)
		}
	})
}

func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-live", "1MiB"}, in, io.Discard) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "serving "))
	resp, err := http.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

func TestArguments(t *testing.T) {
	var b bytes.Buffer
	if err := run(t.Context(), []string{"-token", "ann", "-secret", "s"}, &b, io.Discard); err != nil || b.String() != signer("s").token("ann")+"\n" {
		t.Errorf("token %q, %v", &b, err)
	}
	for _, args := range [][]string{{"-live", "much"}, {"-garbage", "-1"}, {"-outside", "some"}, {"-leak", "drops"}, {"-upstream", "-1s"}, {"-nonsense"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); !errors.As(err, new(command.UsageError)) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if err := run(t.Context(), []string{"-h"}, io.Discard, &b); !errors.Is(err, flag.ErrHelp) || !strings.Contains(b.String(), "-garbage") {
		t.Errorf("help: %v, %s", err, &b)
	}
	if err := run(t.Context(), []string{"-addr", "127.0.0.1:1:2"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "-addr") {
		t.Errorf("address: %v", err)
	}
}
