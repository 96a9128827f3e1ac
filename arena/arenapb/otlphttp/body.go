package otlphttp

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

const (
	minRoom = 4 << 10
	maxRoom = 1 << 20 // bytes allocated because of a Content-Length alone, and kept for the next body
)

var (
	zippers sync.Pool // of *gzip.Reader
	buffers sync.Pool // of *[]byte
)

// buffer returns a buffer for a body. Decoding copies the body, so the buffer is used
// again after it. A request that waits for its body holds no arena, which may have
// grown to many times the body.
func buffer() *[]byte {
	if b, ok := buffers.Get().(*[]byte); ok {
		return b
	}
	return new([]byte)
}

func release(b *[]byte) {
	if cap(*b) <= maxRoom+1 {
		buffers.Put(b)
	}
}

// read reads the body of a request, decompressed, into b.
func read(r *http.Request, b *[]byte, limit int64) error {
	room := min(max(r.ContentLength, minRoom), maxRoom, limit)
	var from io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); strings.ToLower(encoding) { // RFC 9110, 8.4.1
	case "", "identity":
	case "gzip", "x-gzip":
		z, _ := zippers.Get().(*gzip.Reader)
		if z == nil {
			z = new(gzip.Reader)
		}
		defer zippers.Put(z)
		if err := z.Reset(io.LimitReader(r.Body, limit)); err != nil {
			return invalid(err)
		}
		from = z
	default:
		return &Error{Status: http.StatusUnsupportedMediaType, Message: fmt.Sprintf("the Content-Encoding %q is not known: use gzip or none", encoding)}
	}
	*b = slices.Grow((*b)[:0], int(room)+1) // one more, to see the end
	for {
		n, err := from.Read((*b)[len(*b):cap(*b)])
		*b = (*b)[:len(*b)+n]
		switch {
		case int64(len(*b)) > limit:
			return &Error{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("the request has more than %d bytes", limit)}
		case err == io.EOF:
			return nil
		case err != nil:
			return invalid(err)
		case len(*b) == cap(*b):
			*b = slices.Grow(*b, 1)
		}
	}
}

// invalid is the answer to a body that cannot be read.
func invalid(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return &Error{Status: http.StatusRequestEntityTooLarge, Message: err.Error()}
	}
	return &Error{Status: http.StatusBadRequest, Message: "cannot read the request: " + err.Error()}
}
