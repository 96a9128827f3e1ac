package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

func encoded(t testing.TB, m proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// post sends a request over HTTP and returns the status and the body.
func post(h http.Handler, path, encoding string, body []byte) (int, []byte) {
	return postAs(protobufType, h, path, encoding, body)
}

func postAs(contentType string, h http.Handler, path, encoding string, body []byte) (int, []byte) {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

// rejected returns the partial success of a response, "" if there is none. It has
// the same fields for all signals.
func rejected(t *testing.T, body []byte) string {
	t.Helper()
	var r tracepb.ExportTraceServiceResponse
	if err := proto.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	p := r.GetPartialSuccess()
	if p.GetRejectedSpans() == 0 {
		return ""
	}
	return fmt.Sprint(p.GetRejectedSpans(), " ", p.GetErrorMessage())
}

// variants calls test with each variant but heap, and with heap.
func variants(t *testing.T, test func(t *testing.T, heap, other receiver)) {
	for name, register := range decoders {
		if name != "heap" {
			t.Run(name, func(t *testing.T) { test(t, newHeap(newCounts()), register(newCounts())) })
		}
	}
}

func TestAllVariantsCountEqually(t *testing.T) {
	variants(t, func(t *testing.T, heap, other receiver) {
		for i := range 3 {
			for _, r := range requests(i, 100) {
				data := encoded(t, r)
				wantStatus, want := post(heap.routes(), r.path(), "", data)
				gotStatus, got := post(other.routes(), r.path(), "", data)
				if wantStatus != http.StatusOK || gotStatus != wantStatus || rejected(t, got) != rejected(t, want) {
					t.Errorf("%s: %d %q, heap answers %d %q", r.signal, gotStatus, got, wantStatus, want)
				}
			}
		}
		want := heap.counts.snapshot()
		if got := other.counts.snapshot(); !reflect.DeepEqual(got, want) {
			t.Errorf("counts %v, heap counts %v", got, want)
		}
		// Of 100 records 11 and 75 are invalid, and 7, 23, 39, 55, 71 and 87 are of health checks.
		if got := want["traces"]["checkout-1"]; got != (tally{Accepted: 92, Filtered: 6, Rejected: 2, Attributes: 92 * 8}) {
			t.Errorf("the heap variant counts %+v", got)
		}
	})
}

// The variants read the JSON of the collector's exporter, and count as with protobuf.
func TestAllVariantsReadJSON(t *testing.T) {
	variants(t, func(t *testing.T, heap, other receiver) {
		for _, r := range []receiver{heap, other} {
			for _, request := range requests(0, 100) {
				path := request.path()
				body, err := asJSON(encoded(t, request), request.collector)
				if err != nil {
					t.Fatal(err)
				}
				var response struct{ PartialSuccess struct{ ErrorMessage string } }
				status, answer := postAs(jsonType, r.routes(), path, "", body)
				if err := json.Unmarshal(answer, &response); err != nil || status != http.StatusOK || !strings.HasPrefix(response.PartialSuccess.ErrorMessage, "2 invalid ") {
					t.Errorf("%s is answered with %d %q, %v", path, status, answer, err)
				}
				if status, answer := postAs(jsonType, r.routes(), path, "", body[:len(body)-1]); status != http.StatusBadRequest {
					t.Errorf("%s that is cut off is answered with %d %q", path, status, answer)
				}
			}
			if got := r.counts.snapshot()["traces"]["checkout-0"]; got != (tally{Accepted: 92, Filtered: 6, Rejected: 2, Attributes: 92 * 8}) {
				t.Errorf("counted %+v", got)
			}
		}
		if got, want := other.counts.snapshot(), heap.counts.snapshot(); !reflect.DeepEqual(got, want) {
			t.Errorf("counts %v, heap counts %v", got, want)
		}
	})
}

func TestAllVariantsRefuseEqually(t *testing.T) {
	good := encoded(t, traces(0, 4))
	shortID := traces(0, 2)
	shortID.ResourceSpans[0].ScopeSpans[0].Spans[1].TraceId = []byte{1, 2, 3}
	longID := logs(0, 2)
	longID.ResourceLogs[0].ScopeLogs[0].LogRecords[1].SpanId = make([]byte, 9)
	for _, bad := range []struct {
		name, path string
		body       []byte
	}{
		{"cut off", "/v1/traces", good[:len(good)-3]},
		{"no protobuf", "/v1/logs", []byte("{}")},
		{"field 0", "/v1/metrics", []byte{0x02, 0x00}},
		{"an endless varint", "/v1/metrics", bytes.Repeat([]byte{0xff}, 11)},
		{"a length beyond the end", "/v1/traces", []byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x07}},
		{"a short trace ID", "/v1/traces", encoded(t, shortID)},
		{"a long span ID", "/v1/logs", encoded(t, longID)},
	} {
		t.Run(bad.name, func(t *testing.T) {
			variants(t, func(t *testing.T, heap, other receiver) {
				for _, r := range []receiver{heap, other} {
					if status, body := post(r.routes(), bad.path, "", bad.body); status != http.StatusBadRequest || len(body) == 0 {
						t.Errorf("status %d %q, want 400 and the reason", status, body)
					}
					if counted := r.counts.snapshot(); len(counted) != 0 {
						t.Errorf("counted %v of a refused request", counted)
					}
				}
			})
		})
	}
}

func TestNothingAndCompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(encoded(t, logs(0, 10)))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, register := range decoders {
		r := register(newCounts())
		if status, body := post(r.routes(), "/v1/traces", "", nil); status != http.StatusOK || rejected(t, body) != "" {
			t.Errorf("%s: an empty request is answered with %d %q", name, status, body)
		}
		if status, body := post(r.routes(), "/v1/logs", "gzip", packed.Bytes()); status != http.StatusOK {
			t.Errorf("%s: a compressed request is answered with %d %q", name, status, body)
		}
		if got := r.counts.snapshot()["logs"]["checkout-0"].Accepted; got != 9 {
			t.Errorf("%s: %d of the 9 compressed log records are accepted", name, got)
		}
		if status, _ := post(r.routes(), "/v1/logs", "gzip", []byte("no gzip")); status != http.StatusBadRequest {
			t.Errorf("%s: a damaged archive is answered with %d", name, status)
		}
	}
}

// dial starts a variant and returns a client of it.
func dial(t testing.TB, r receiver) *grpc.ClientConn {
	t.Helper()
	s, err := start(r, "", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client, err := grpc.NewClient(s.calls.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func TestAllVariantsServeGRPC(t *testing.T) {
	for name, register := range decoders {
		t.Run(name, func(t *testing.T) {
			r := register(newCounts())
			client, ctx := dial(t, r), t.Context()
			response, err := tracepb.NewTraceServiceClient(client).Export(ctx, traces(0, 100))
			if err != nil || response.PartialSuccess.GetRejectedSpans() != 2 {
				t.Errorf("traces: %v, %v", response, err)
			}
			if _, err := metricspb.NewMetricsServiceClient(client).Export(ctx, points(0, 100)); err != nil {
				t.Errorf("metrics: %v", err)
			}
			if _, err := logspb.NewLogsServiceClient(client).Export(ctx, logs(0, 100)); err != nil {
				t.Errorf("logs: %v", err)
			}
			got := r.counts.snapshot()
			for signal, filtered := range map[string]int64{"traces": 6, "metrics": 25, "logs": 6} {
				if c := got[signal]["checkout-0"]; c.Filtered != filtered || c.Rejected != 2 || c.Accepted != 98-filtered {
					t.Errorf("%s: counted %+v", signal, c)
				}
			}
			bad := traces(0, 1)
			bad.ResourceSpans[0].ScopeSpans[0].Spans[0].TraceId = []byte{1}
			if _, err := tracepb.NewTraceServiceClient(client).Export(ctx, bad); status.Code(err) == codes.OK {
				t.Error("a trace ID of one byte is accepted")
			}
		})
	}
}

// A name that is counted must outlive the request that it came with.
func TestCountedNamesSurviveTheArena(t *testing.T) {
	r := newArena(newCounts())
	for i := range 200 {
		if status, body := post(r.routes(), "/v1/traces", "", encoded(t, traces(i, 10))); status != http.StatusOK {
			t.Fatalf("%d %q", status, body)
		}
	}
	got := r.counts.snapshot()["traces"]
	if len(got) != 200 {
		t.Errorf("%d services, want 200", len(got))
	}
	for name := range got {
		if !strings.HasPrefix(name, "checkout-") {
			t.Errorf("service %q was never sent", name)
		}
	}
}

func TestServicesAreBounded(t *testing.T) {
	c := newCounts()
	for i := range 3 * maxServices {
		c.add("logs", strings.Repeat("x", i%1500), tally{Accepted: 1})
	}
	if n := len(c.snapshot()["logs"]); n > maxServices+1 {
		t.Errorf("%d services are counted", n)
	}
}

func TestCommand(t *testing.T) {
	for _, args := range [][]string{{"-decoder", "nothing"}, {"-http", "", "-grpc", ""}, {"-requests", t.TempDir(), "-records", "0"}, {"more"}} {
		if err := run(context.Background(), args, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
	dir := t.TempDir()
	if err := run(context.Background(), []string{"-requests", dir, "-records", "2"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(dir + "/requests.json")
	if err != nil || bytes.Count(list, []byte("\n")) != 3*variety {
		t.Errorf("%d requests, %v", bytes.Count(list, []byte("\n")), err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	err = run(context.Background(), []string{"-http", taken.Addr().String(), "-grpc", ""}, new(bytes.Buffer), nil)
	if err == nil || !strings.Contains(err.Error(), "choose a free port") {
		t.Errorf("a port that is taken: %v", err)
	}
}
