package arenapbtest

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// accept is an export function that accepts every request.
func accept(context.Context, *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	return new(collector.ExportTraceServiceResponse), nil
}

// BenchmarkOTLPHTTPBody answers whole requests of about so many bytes, without a network.
func BenchmarkOTLPHTTPBody(b *testing.B) {
	for _, size := range []int{20e3, 200e3, 2e6} {
		body := batch(b, size*100/len(batch(b, 100)))
		for _, encoding := range []string{"identity", "gzip"} {
			b.Run(fmt.Sprintf("%dkB/%s", size/1000, encoding), func(b *testing.B) {
				var pool arena.Pool
				handler := otlphttp.NewHandler(accept, &pool, otlphttp.Options{})
				sent := body
				if encoding == "gzip" {
					sent = zipped(body)
				}
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					r := httptest.NewRequest("POST", "/", bytes.NewReader(sent))
					r.Header.Set("Content-Type", "application/x-protobuf")
					r.Header.Set("Content-Encoding", encoding)
					w := httptest.NewRecorder()
					if handler.ServeHTTP(w, r); w.Code != 200 {
						b.Fatal(w.Code, w.Body)
					}
				}
			})
		}
	}
}
