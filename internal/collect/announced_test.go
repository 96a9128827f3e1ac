package collect

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// Answers that announce much and send little take memory for that little.
func TestAnnouncedAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"length": "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n\x1f\x8b",
		"chunk":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3b9aca00\r\n\x1f\x8b",
		"zstd":   "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n\x28\xb5\x2f\xfd\x80\x10\x00\x00\x00\x20\x09\x00\x00x",
		"gzip":   "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x20",
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(hijack(answer))
			defer server.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Run(t.Context(), Plan{URL: server.URL, Dir: t.TempDir()})
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 8<<20 {
				t.Errorf("%d bytes of an answer allocated %d, %v", len(answer), got, err)
			}
		})
	}
}

// HTTP/2 sends a large header in any number of frames.
func TestHeaderOverHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("the request came over %s", r.Proto)
		}
		for range 1000 {
			w.Header().Add("X-Padding", strings.Repeat("x", 1<<10))
		}
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	_, err := Run(t.Context(), Plan{URL: server.URL, Dir: t.TempDir(), Access: Access{Insecure: true}})
	if err == nil || !strings.Contains(err.Error(), "header list") {
		t.Errorf("got %v", err)
	}
}
