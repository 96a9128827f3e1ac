package web

import (
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/heapwright/heapwright/internal/store"
)

// mostSent bounds the body of a request, in bytes. Profiles are inflated with a bound of
// their own.
const mostSent = 32 << 20

// Bounds of the labels of one profile.
const (
	mostLabels = 30
	mostLabel  = 200 // bytes of a name or a value
)

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
	service, labels, err := identify(r.PathValue("service"), labels)
	if err != nil {
		return err
	}
	return h.keep(w, r, store.Entry{Service: service, Labels: labels}, data)
}

// keep keeps what was sent. The answer is 200 when it is synced.
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

func checkLabels(e store.Entry) error {
	if e.Service == "" || len(e.Service) > mostLabel || strings.ContainsRune(e.Service, 0) {
		return bad("the name of the service must have 1 to %d bytes", mostLabel)
	}
	if len(e.Labels) > mostLabels {
		return bad("%d labels, more than %d", len(e.Labels), mostLabels)
	}
	for name, value := range maps.All(e.Labels) {
		if name == "" || len(name) > mostLabel || len(value) > mostLabel {
			return bad("label %.40q: names and values have at most %d bytes", name, mostLabel)
		}
	}
	return nil
}
