package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/valyala/bytebufferpool"

	"github.com/heapwright/heapwright/workloads/program/command"
)

// exchange sends a batch to a gateway and returns the status and the answer.
func exchange(t *testing.T, gateway http.Handler, path, body string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	gateway.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func both(t testing.TB) (leaky, cured http.Handler) {
	up, err := startUpstream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(up.close)
	return routes(newLeaky(up)), routes(newCured(up))
}

var batches = []struct {
	name, batch string
	status      int
	has         string
}{
	{"one reading", "cpu,host=web-1 0.5 1700000000", 200, `"stored":138`},
	{"no labels", "cpu 1 0\n", 200, "crc32"},
	{"nothing", "", 200, `"stored":0`},
	{"blank lines", "\n  \r\n\tcpu,host=a 1 1\r\n\n", 200, "crc32"},
	{"other white space", "cpu\u2003 1\u00a07", 200, "crc32"},
	{"labels in another order", "cpu,b=2,a=1 1 1\ncpu,a=1,b=2 1 1", 200, "crc32"},
	{"signs that JSON escapes", "cpu,path=</a>&\"\\,x=\u2028 1e300 253402300799", 200, "crc32"},
	{"not UTF-8", "cpu,x=\xff\xfe 1 1", 200, "crc32"},
	{"numbers at the edge", "a 1e-7 1\na -0 1\na 1e21 1\na 0x1p-2 1\na 5e-324 1\na 1_000 1", 200, "crc32"},
	{"the same tag twice", "cpu,a=1,a=2 1 1", 200, "crc32"},
	{"empty value", "cpu,a= 1 1", 200, "crc32"},
	{"two fields", "cpu 1", 400, "line 1: 2 fields: write SERIES"},
	{"four fields", "ok 1 1\ncpu 1 1 1", 400, "line 2: 4 fields"},
	{"no number", "cpu x 1", 400, "write a finite number"},
	{"not a number", "cpu NaN 1", 400, "write a finite number"},
	{"too large", "cpu 1e999 1", 400, "write a finite number"},
	{"no time", "cpu 1 now", 400, "write seconds since 1970"},
	{"before 1970", "cpu 1 -1", 400, "write seconds since 1970"},
	{"year 10000", "cpu 1 253402300800", 400, "up to the year 9999"},
	{"no metric", ",a=1 1 1", 400, "has no metric"},
	{"tag without value", "cpu,a 1 1", 400, "write TAG=VALUE"},
	{"tag without name", "cpu,=1 1 1", 400, "write TAG=VALUE"},
	{"too long", strings.Repeat("cpu 1 1\n", maxBatch/8+1), 400, "too large"},
}

func TestBothAnswerTheSame(t *testing.T) {
	leaky, cured := both(t)
	for _, test := range batches {
		for range 2 { // the second time from the cache
			status, body := exchange(t, leaky, "/v1/ann/readings", test.batch)
			if status != test.status || !strings.Contains(body, test.has) {
				t.Errorf("%s: %d %s; want %d and %q", test.name, status, body, test.status, test.has)
			}
			if s, b := exchange(t, cured, "/v1/ann/readings", test.batch); s != status || b != body {
				t.Errorf("%s: the cured gateway answers %d %s, the leaky one %d %s", test.name, s, b, status, body)
			}
		}
	}
	for i := range 500 {
		path, batch := "/v1/"+tenant(i)+"/readings", string(appendBatch(nil, i))
		ls, lb := exchange(t, leaky, path, batch)
		cs, cb := exchange(t, cured, path, batch)
		if ls != http.StatusOK || ls != cs || lb != cb {
			t.Fatalf("batch %d: the cured gateway answers %d %s, the leaky one %d %s", i, cs, cb, ls, lb)
		}
	}
}

// FuzzBothTranslateTheSame looks at all of the translation, not only its
// checksum, through a cache that keeps forgetting.
func FuzzBothTranslateTheSame(f *testing.F) {
	for _, test := range batches {
		if len(test.batch) < 1<<10 {
			f.Add(test.batch)
		}
	}
	f.Add(string(appendBatch(nil, 1)))
	l, c := newLeaky(nil), &cured{known: newCache(1)}
	f.Fuzz(func(t *testing.T, batch string) {
		want, wantErr := l.Process("ann", batch)
		var got bytebufferpool.ByteBuffer
		gotErr := c.Process("ann", []byte(batch), &got)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("the cured gateway says %v, the leaky one %v", gotErr, wantErr)
		}
		if wantErr == nil && got.String() != want {
			t.Errorf("the cured gateway makes\n%sthe leaky one\n%s", &got, want)
		}
	})
}

func TestSeriesHaveOneFingerprint(t *testing.T) {
	a, err := newSeries("ann", "cpu,x=1,y=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []struct {
		tenant, text string
		same         bool
	}{{"ann", "cpu,y=2,x=1", true}, {"bob", "cpu,x=1,y=2", false}, {"ann", "cpu,x=2,y=1", false}, {"ann", "mem,x=1,y=2", false}} {
		b, err := newSeries(other.tenant, other.text)
		if err != nil || (a.fingerprint == b.fingerprint) != other.same {
			t.Errorf("%s of %s: fingerprint %s, %v; %s is that of cpu,x=1,y=2 of ann", other.text, other.tenant, b.fingerprint, err, a.fingerprint)
		}
	}
}

// TestOnlyTheLeakyGatewayGrows sends series that are all new.
func TestOnlyTheLeakyGatewayGrows(t *testing.T) {
	const lines = 20
	grown := func(gateway http.Handler) int64 {
		live := func() int64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		send := func(from, to int) {
			for i := from; i < to; i++ {
				var batch strings.Builder
				for l := range lines {
					fmt.Fprintf(&batch, "cpu,pod=%d-%d 1 1\n", i, l)
				}
				if status, body := exchange(t, gateway, "/v1/ann/readings", batch.String()); status != http.StatusOK {
					t.Fatalf("%d %s", status, body)
				}
			}
		}
		send(0, maxSeries/lines+1) // until the cured gateway is full
		before := live()
		send(maxSeries, maxSeries+500)
		after := live()
		runtime.KeepAlive(gateway)
		return after - before
	}
	leaky, cured := both(t)
	if n := grown(leaky); n < 500*lines*256 {
		t.Errorf("the leaky gateway grew by %d bytes in 10,000 series", n)
	}
	if n := grown(cured); n > 1<<20 {
		t.Errorf("the cured gateway grew by %d bytes", n)
	}
}

func TestRoutes(t *testing.T) {
	leaky, cured := both(t)
	for name, gateway := range map[string]http.Handler{"leaky": leaky, "cured": cured} {
		exchange(t, gateway, "/v1/ann/readings", "cpu 1 1")
		for path, want := range map[string]string{
			"/healthz":                  "ok",
			"/metrics":                  `gateway_request_seconds_count{code="200"} 1`,
			"/debug/pprof/heap?debug=1": "heap profile",
			"/debug/pprof/cmdline":      "leakygateway",
		} {
			w := httptest.NewRecorder()
			gateway.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %s: %d, without %q", name, path, w.Code, want)
			}
		}
	}
}

func TestStoreIsDown(t *testing.T) {
	up, err := startUpstream()
	if err != nil {
		t.Fatal(err)
	}
	up.close()
	for name, gateway := range map[string]http.Handler{"leaky": routes(newLeaky(up)), "cured": routes(newCured(up))} {
		if status, body := exchange(t, gateway, "/v1/ann/readings", "cpu 1 1"); status != http.StatusBadGateway || !strings.Contains(body, "a connection failed") {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

func TestRequestsToItself(t *testing.T) {
	for _, cured := range []string{"-cured=false", "-cured"} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"-requests", "50", "-callers", "3", cured}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		const want = "50 batches of 40 lines\t check: 0000001b03c9233b\n"
		if !strings.HasPrefix(out.String(), want) || !strings.Contains(out.String(), "\nlatency p99\t ") {
			t.Errorf("%s: got\n%swant first\n%s", cured, &out, want)
		}
	}
}

func TestServes(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0"}, in, io.Discard) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "serving "))
	resp, err := http.Post(url+"/v1/ann/readings", "text/plain", strings.NewReader("cpu 1 1"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %s", resp.Status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"-requests", "1000000"}, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, it ended with %v", err)
	}
}

func TestArguments(t *testing.T) {
	for _, args := range []string{"-requests -1", "-callers 0", "8080", "-nonsense"} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); !errors.As(err, new(command.UsageError)) {
			t.Errorf("%s: %v", args, err)
		}
	}
	var help bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, io.Discard, &help); !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "-cured") {
		t.Errorf("help: %v, %s", err, &help)
	}
	if err := run(t.Context(), []string{"-addr", "127.0.0.1:1:2"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "-addr") {
		t.Errorf("address: %v", err)
	}
}
