package arenapbtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

func TestOTLPOverHTTP(t *testing.T) {
	var pool arena.Pool
	data := batch(t, 100)
	request := new(collector.ExportTraceServiceRequest)
	if err := proto.Unmarshal(data, request); err != nil {
		t.Fatal(err)
	}
	text := otlpJSON(t, rand.New(rand.NewPCG(*seed, 12)), request)
	var kept []string
	var fail error
	export := func(ctx context.Context, r *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
		if arena.FromContext(ctx) == nil {
			t.Error("there is no arena in the context")
		}
		spans := r.ResourceSpans[0].ScopeSpans[0].Spans
		kept = append(kept, spans[len(spans)-1].Name)
		return &collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: int64(len(spans))}}, fail
	}
	server := httptest.NewServer(otlphttp.NewHandler(export, &pool, otlphttp.Options{MaxBytes: 1 << 20}))
	defer server.Close()
	retry := &otlphttp.Error{Status: http.StatusTooManyRequests, RetryAfter: 1500 * time.Millisecond, Message: "come again"}
	for _, c := range []struct {
		name, method, typ, encoding string
		body                        []byte
		fail                        error
		status                      int
		message                     string
	}{
		{"plain", "POST", "application/x-protobuf", "", data, nil, 200, ""},
		{"gzip", "POST", "application/x-protobuf; charset=x", "gzip", zipped(data), nil, 200, ""},
		{"GET", "GET", "application/x-protobuf", "", nil, nil, 405, "use POST"},
		{"JSON", "POST", "application/json; charset=utf-8", "", text, nil, 200, ""},
		{"gzipped JSON", "POST", "application/json", "gzip", zipped(text), nil, 200, ""},
		{"invalid JSON", "POST", "application/json", "", text[:len(text)-1], nil, 400, "input that is not JSON"},
		{"refused JSON", "POST", "application/json", "", text, retry, 429, "come again"},
		{"text", "POST", "text/plain", "", text, nil, 415, "use Content-Type"},
		{"no type", "POST", "", "", data, nil, 415, "use Content-Type"},
		{"GET of nothing", "GET", "", "", nil, nil, 405, "use POST"},
		{"zstd", "POST", "application/x-protobuf", "zstd", data, nil, 415, "zstd"},
		{"no gzip", "POST", "application/x-protobuf", "gzip", data, nil, 400, "cannot read"},
		{"cut", "POST", "application/x-protobuf", "", data[:len(data)-1], nil, 400, "exceeds the message"},
		{"too large", "POST", "application/x-protobuf", "", make([]byte, 1<<20+1), nil, 413, "more than 1048576 bytes"},
		{"bomb", "POST", "application/x-protobuf", "gzip", zipped(make([]byte, 10<<20)), nil, 413, "more than"},
		{"refused", "POST", "application/x-protobuf", "", data, retry, 429, "come again"},
		{"failed", "POST", "application/x-protobuf", "", data, errors.New("the disk is full"), 500, "Internal Server Error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fail = c.fail
			request, err := http.NewRequest(c.method, server.URL, bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", c.typ)
			request.Header.Set("Content-Encoding", c.encoding)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			typ, unmarshal := "application/x-protobuf", proto.Unmarshal
			if strings.HasPrefix(c.typ, "application/json") {
				typ, unmarshal = "application/json", protojson.Unmarshal
			}
			if err != nil || response.StatusCode != c.status || response.Header.Get("Content-Type") != typ {
				t.Fatalf("got the status %d %q, %v", response.StatusCode, body, err)
			}
			if c.status == 200 {
				answer := new(collector.ExportTraceServiceResponse)
				if err := unmarshal(body, answer); err != nil || answer.PartialSuccess.GetRejectedSpans() != 100 {
					t.Errorf("got %v, %v", answer, err)
				}
				return
			}
			refused := new(status.Status)
			if err := unmarshal(body, refused); err != nil || !strings.Contains(refused.Message, c.message) || refused.Code == 0 {
				t.Errorf("got the status %v, %v; want %q", refused, err, c.message)
			}
			if c.fail == error(retry) && response.Header.Get("Retry-After") != "2" {
				t.Errorf("got Retry-After: %q, want 2", response.Header.Get("Retry-After"))
			}
		})
	}
	for _, name := range kept {
		if name != "GET /api/v1/users/99" {
			t.Errorf("a kept name is %q now", name)
		}
	}
}

// slowBody is a body of which a part has arrived.
type slowBody struct {
	io.Reader
	reached chan<- struct{} // is closed when more is waited for
	rest    <-chan struct{}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	if b.reached != nil {
		close(b.reached)
		b.reached = nil
		<-b.rest
	}
	return 0, io.EOF
}

// A request holds no arena before its body is complete, and its arena holds the body
// once.
func TestOTLPArenaIsShortLived(t *testing.T) {
	if arena.Backend == "heap" {
		t.Skip("arenas hold no memory there")
	}
	large, small := batch(t, 200), batch(t, 1)
	take := func() bool {
		var pool arena.Pool
		var stats arena.Stats
		handler := otlphttp.NewHandler(func(ctx context.Context, r *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
			stats = arena.FromContext(ctx).Stats()
			return new(collector.ExportTraceServiceResponse), nil
		}, &pool, otlphttp.Options{Text: arena.TextArena})
		post := func(body io.Reader) {
			r := httptest.NewRequest("POST", "/", body)
			r.Header.Set("Content-Type", "application/x-protobuf")
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
		post(bytes.NewReader(large))
		for _, of := range stats.Types {
			if of.Type.Kind() == reflect.Uint8 && of.Bytes > int64(len(large))*5/4 {
				t.Fatalf("%d bytes of text for a body of %d", of.Bytes, len(large))
			}
		}
		reached, rest, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			post(&slowBody{bytes.NewReader(small), reached, rest})
		}()
		<-reached
		post(bytes.NewReader(small))
		again := stats.Retained
		close(rest)
		<-done
		return checks || again >= int64(len(large)) // builds with checks do not reuse memory
	}
	for range 50 { // a pool is per processor, and loses some arenas under the race detector
		if take() {
			return
		}
	}
	t.Error("a request that waits for its body has taken the arena of the one before")
}
