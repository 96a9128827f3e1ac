package arenapbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// answer sends a request with one span to a handler whose export function returns err.
func answer(t *testing.T, method, encoding string, body []byte, err error) *httptest.ResponseRecorder {
	t.Helper()
	handler := otlphttp.Handler(new(arena.Pool), func(context.Context, *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
		return new(collector.ExportTraceServiceResponse), err
	})
	r := httptest.NewRequest(method, "/", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("Content-Encoding", encoding)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestOTLPStatusOfErrors(t *testing.T) {
	for sent, want := range map[int]struct {
		status int
		code   int32
	}{
		-1: {500, 13}, 0: {500, 13}, 1: {500, 13}, 100: {500, 13}, 200: {500, 13}, 302: {500, 13}, 399: {500, 13},
		400: {400, 3}, 429: {429, 8}, 503: {503, 14}, 501: {501, 13}, 599: {599, 13}, 600: {500, 13}, 1000: {500, 13},
	} {
		w := answer(t, "POST", "", batch(t, 1), &otlphttp.Error{Status: sent, Message: "an \xff error"})
		got := new(status.Status)
		if err := proto.Unmarshal(w.Body.Bytes(), got); err != nil {
			t.Errorf("%d: %v", sent, err)
		}
		if w.Code != want.status || got.Code != want.code || got.Message != "an \ufffd error" {
			t.Errorf("%d: got %d, %v; want %v", sent, w.Code, got, want)
		}
	}
}

// Clients are sent no addresses and no paths of this side.
func TestOTLPErrorsHoldNoAddresses(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, refused := http.Get(s.URL)
	_, dial := net.Dial("tcp", s.Listener.Addr().String())
	_, missing := os.Open(t.TempDir() + "/x")
	for want, errs := range map[string][]error{
		"a connection behind this service failed":      {fmt.Errorf("store: %w", refused), dial},
		"a file behind this service could not be used": {fmt.Errorf("store: %w", missing)},
		"no room": {errors.New("no room")},
	} {
		for _, err := range errs {
			w, got := answer(t, "POST", "", batch(t, 1), err), new(status.Status)
			if err := proto.Unmarshal(w.Body.Bytes(), got); err != nil || w.Code != 500 || got.Message != want {
				t.Errorf("got %d, %v, %v; want %q", w.Code, got, err, want)
			}
		}
	}
}

func TestOTLPContentEncoding(t *testing.T) {
	data := batch(t, 1)
	for encoding, body := range map[string][]byte{
		"": data, "identity": data, "Identity": data, "gzip": zipped(data), "GZIP": zipped(data), "x-gzip": zipped(data), "X-GZip": zipped(data),
	} {
		if w := answer(t, "POST", encoding, body, nil); w.Code != 200 {
			t.Errorf("%q: got %d, %q", encoding, w.Code, w.Body)
		}
	}
}

func TestOTLPAllowsPOST(t *testing.T) {
	for _, method := range []string{"GET", "PUT", "OPTIONS"} {
		if w := answer(t, method, "", nil, nil); w.Code != 405 || w.Header().Get("Allow") != "POST" {
			t.Errorf("%s: got %d with Allow: %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
	if w := answer(t, "POST", "", batch(t, 1), nil); w.Header().Get("Allow") != "" {
		t.Errorf("an accepted request: got Allow: %q", w.Header().Get("Allow"))
	}
}
