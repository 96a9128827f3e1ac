package arenapbtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"testing"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// forever repeats data without an end.
type forever struct {
	data []byte
	at   int
	sent int64
}

func (f *forever) Read(p []byte) (int, error) {
	n := copy(p, f.data[f.at:])
	f.at = (f.at + n) % len(f.data)
	f.sent += int64(n)
	return n, nil
}

// Requests that are small until they are decompressed, or that never end, are refused at
// the limit, and take memory within a small multiple of it.
func TestOTLPHTTPBombs(t *testing.T) {
	const limit = 1 << 20
	handler := otlphttp.NewHandler(accept, new(arena.Pool), otlphttp.Options{MaxBytes: limit})
	noise := make([]byte, 2*limit)
	rand.NewChaCha8([32]byte{}).Read(noise)
	var stored bytes.Buffer
	z, err := gzip.NewWriterLevel(&stored, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(noise)
	z.Close()
	zeros := zipped(make([]byte, limit/4))
	emptyBlock := []byte{0, 0, 0, 0xff, 0xff}
	header := zipped(nil)[:10]
	for _, test := range []struct {
		name, encoding string
		body           io.Reader
		status         int
	}{
		{"zeros", "gzip", bytes.NewReader(zipped(make([]byte, 8*limit))), 413},
		{"members of zeros", "gzip", bytes.NewReader(bytes.Repeat(zeros, 400)), 413},
		{"endless members of zeros", "gzip", &forever{data: zeros}, 413},
		{"endless empty members", "gzip", &forever{data: zipped(nil)}, 413},
		{"endless empty blocks", "gzip", io.MultiReader(bytes.NewReader(header), &forever{data: emptyBlock}), 413},
		{"empty members", "gzip", bytes.NewReader(bytes.Repeat(zipped(nil), limit/len(zipped(nil)))), 200},
		{"endless name of a file", "gzip", io.MultiReader(bytes.NewReader([]byte("\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff")), &forever{data: []byte("x")}), 413},
		{"not compressible", "gzip", &stored, 413},
		{"compressed twice", "gzip", bytes.NewReader(zipped(zipped(make([]byte, 8*limit)))), 400},
		{"two encodings", "gzip, gzip", bytes.NewReader(zipped(zipped(nil))), 415},
		{"deflate", "deflate", &forever{data: []byte{0}}, 415},
		{"endless", "", &forever{data: []byte{0}}, 413},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", test.body)
			r.Header.Set("Content-Type", "application/x-protobuf")
			r.Header.Set("Content-Encoding", test.encoding)
			w := httptest.NewRecorder()
			got := allocated(func() { handler.ServeHTTP(w, r) })
			if w.Code != test.status {
				t.Errorf("got %d, %q; want %d", w.Code, w.Body, test.status)
			}
			// The buffers of both forms of the body, each doubled up to the limit.
			if got > 10*limit {
				t.Errorf("allocated %d bytes with a limit of %d", got, limit)
			}
			if f, ok := test.body.(*forever); ok && f.sent > 3*limit {
				t.Errorf("read %d bytes with a limit of %d", f.sent, limit)
			}
		})
	}
}
