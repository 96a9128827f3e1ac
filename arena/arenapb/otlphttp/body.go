package otlphttp

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
)

const (
	minRoom = 4 << 10 // bytes of a new buffer, which grows with the bytes that came, not with those announced
	maxRoom = 1 << 20 // bytes of the largest buffer that is kept for the next body
)

var (
	zippers sync.Pool // holds *zipper
	buffers sync.Pool // holds *[]byte
)

// A zipper decompresses a body in memory.
type zipper struct {
	gzip.Reader
	compressed bytes.Reader
}

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

// read reads the body of a request, decompressed, into b. A compressed body is
// decompressed when it is complete: a request that waits for the rest holds no
// decompressor, which takes ten times the memory of a new buffer.
func read(r *http.Request, b *[]byte, limit int64) error {
	switch encoding := r.Header.Get("Content-Encoding"); strings.ToLower(encoding) { // RFC 9110, 8.4.1
	case "", "identity":
		return broken(fill(b, r.Body, limit))
	case "gzip", "x-gzip":
		if err := fill(b, r.Body, limit); err != nil {
			return broken(err)
		}
		return invalid(inflate(b, limit))
	default:
		return &Error{Status: http.StatusUnsupportedMediaType, Message: fmt.Sprintf("the Content-Encoding %q is not known: use gzip or none", encoding)}
	}
}

// inflate replaces compressed data by the data.
func inflate(b *[]byte, limit int64) error {
	z, _ := zippers.Get().(*zipper)
	if z == nil {
		z = new(zipper)
	}
	defer zippers.Put(z)
	defer z.compressed.Reset(nil)
	z.compressed.Reset(*b)
	if err := z.Reset(&z.compressed); err != nil {
		return err
	}
	inflated := buffer()
	defer release(inflated)
	err := fill(inflated, z, limit)
	*b, *inflated = *inflated, *b
	return err
}

// fill reads all of from into b.
func fill(b *[]byte, from io.Reader, limit int64) error {
	*b = slices.Grow((*b)[:0], minRoom)
	for {
		n, err := from.Read((*b)[len(*b):cap(*b)])
		*b = (*b)[:len(*b)+n]
		switch {
		case int64(len(*b)) > limit:
			return &Error{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("the request has more than %d bytes", limit)}
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case len(*b) == cap(*b):
			*b = slices.Grow(*b, len(*b)) // doubling it copies each byte about once
		}
	}
}

// broken is the answer to a body that does not arrive. Errors of the connection hold
// addresses of this side, and a middleware's errors may hold anything.
func broken(err error) error {
	if err == nil {
		return nil // the variables below are on the heap
	}
	var known *Error
	var tooLarge *http.MaxBytesError // a middleware may have its own limit
	var network net.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &tooLarge):
		return &Error{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("the request has more than %d bytes", tooLarge.Limit)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Status: http.StatusRequestTimeout, Message: "the request did not arrive in time"}
	case errors.As(err, &network):
		return &Error{Status: http.StatusBadRequest, Message: "the connection broke before the end of the request"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid(io.ErrUnexpectedEOF)
	}
	return &Error{Status: http.StatusBadRequest, Message: "cannot read the request"}
}

// invalid is the answer to a body that cannot be decompressed.
func invalid(err error) error {
	if err == nil || errors.As(err, new(*Error)) {
		return err
	}
	return &Error{Status: http.StatusBadRequest, Message: "cannot read the request: " + err.Error()}
}
