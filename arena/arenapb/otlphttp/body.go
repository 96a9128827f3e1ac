package otlphttp

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/heapwright/heapwright/arena"
)

const (
	minRoom = 4 << 10
	maxRoom = 1 << 20 // room made for a body on the word of its Content-Length
)

var zippers sync.Pool // of *gzip.Reader

// read returns the body of a request, decompressed, in a.
func read(r *http.Request, a *arena.Arena, limit int64) ([]byte, error) {
	room := min(max(r.ContentLength, minRoom), maxRoom, limit)
	var from io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		z, _ := zippers.Get().(*gzip.Reader)
		if z == nil {
			z = new(gzip.Reader)
		}
		defer zippers.Put(z)
		if err := z.Reset(io.LimitReader(r.Body, limit)); err != nil {
			return nil, invalid(err)
		}
		from = z
	default:
		return nil, &Error{Status: http.StatusUnsupportedMediaType, Message: fmt.Sprintf("the Content-Encoding %q is not known: use gzip or none", encoding)}
	}
	body := arena.MakeSlice[byte](a, 0, int(room)+1) // one more, to see the end
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, &Error{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf("the request has more than %d bytes", limit)}
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, invalid(err)
		case len(body) == cap(body):
			body = arena.Append(a, body, 0)[:len(body)]
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
