package web

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"

	"github.com/heapwright/heapwright/internal/store"
)

// mostSent bounds the body of a request, in bytes. Profiles are inflated with a bound of
// their own.
const mostSent = 16 << 20

// body returns the body of a request, inflated. It is bounded while it is inflated.
func body(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	in := io.Reader(http.MaxBytesReader(w, r.Body, most))
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		zr, err := gzip.NewReader(in)
		if err != nil {
			return nil, bad("%w", err)
		}
		in = io.LimitReader(zr, most+1)
	default:
		return nil, httpError{http.StatusUnsupportedMediaType, fmt.Errorf("encoding %.40q: send gzip", encoding)}
	}
	data, err := io.ReadAll(in)
	if int64(len(data)) > most {
		return nil, &http.MaxBytesError{Limit: most}
	}
	if err != nil {
		return nil, bad("%w", err)
	}
	return data, nil
}

// push keeps a plain pprof profile. The labels are the parameters of its address.
func (h *Handler) push(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostSent))
	if err != nil {
		return err
	}
	labels := store.Labels{}
	for name, values := range r.URL.Query() {
		labels[name] = values[0]
	}
	service, labels := identify(r.PathValue("service"), labels)
	fromSender(labels, r)
	return h.keep(w, r, store.Entry{Service: service, Labels: labels}, data)
}

// keep stores a profile that was sent. The answer is 200 when it is synced.
func (h *Handler) keep(w http.ResponseWriter, r *http.Request, e store.Entry, data []byte) error {
	if len(data) == 0 {
		return bad("an empty profile")
	}
	if _, err := h.server.Append(r.Context(), e, data); err != nil {
		return err
	}
	w.WriteHeader(http.StatusOK)
	return nil
}
