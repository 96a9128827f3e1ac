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
	"strings"
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
	handler := otlphttp.NewHandler(func(context.Context, *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
		return new(collector.ExportTraceServiceResponse), err
	}, new(arena.Pool), otlphttp.Options{})
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

// Clients are sent the text of an Error, and that of no other error.
func TestOTLPErrorsHoldNoSecrets(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, refused := http.Get(s.URL)
	_, dial := net.Dial("tcp", s.Listener.Addr().String())
	_, missing := os.Open(t.TempDir() + "/x")
	chosen := &otlphttp.Error{Status: 503, Message: "come again"}
	for _, test := range []struct {
		err    error
		status int
		text   string
	}{
		{fmt.Errorf("store: %w", refused), 500, "Internal Server Error"},
		{dial, 500, "Internal Server Error"},
		{fmt.Errorf("store: %w", missing), 500, "Internal Server Error"},
		{errors.New("no room"), 500, "Internal Server Error"},
		{context.DeadlineExceeded, 500, "Internal Server Error"},
		{chosen, 503, "come again"},
		{fmt.Errorf("store: %w: %w", missing, chosen), 503, "come again"},
		{errors.Join(dial, chosen), 503, "come again"},
		{&otlphttp.Error{Status: 429}, 429, "Too Many Requests"},
		{&otlphttp.Error{}, 500, "Internal Server Error"},
	} {
		w, got := answer(t, "POST", "", batch(t, 1), test.err), new(status.Status)
		if err := proto.Unmarshal(w.Body.Bytes(), got); err != nil || w.Code != test.status || got.Message != test.text {
			t.Errorf("%v: got %d, %v, %v; want %d %q", test.err, w.Code, got, err, test.status, test.text)
		}
	}
}

func TestOTLPRefusesAnInterface(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "no pointer to a generated message") {
			t.Errorf("got the panic %s", r)
		}
	}()
	otlphttp.NewHandler(func(context.Context, proto.Message) (proto.Message, error) { return nil, nil }, nil, otlphttp.Options{})
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
