package web

import (
	"errors"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/serve/foreign"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/termtext"
)

// unknownService is the service of profiles that name none (opentelemetry.io/docs/specs/semconv/resource).
const unknownService = "unknown_service"

// otlp keeps profiles as OTLP/HTTP sends them
// (opentelemetry.io/docs/specs/otlp). A profile that is refused is counted in the answer, so
// that its sender does not repeat the others.
func (h *Handler) otlp(w http.ResponseWriter, r *http.Request) error {
	if !h.opts.OTLP {
		return httpError{http.StatusNotImplemented, errors.New("OTLP profiles are unstable; take them with -otlp")}
	}
	if t := r.Header.Get("Content-Type"); t != "application/x-protobuf" {
		return httpError{http.StatusUnsupportedMediaType, errors.New("send application/x-protobuf")}
	}
	message, err := body(w, r, mostSent)
	if err != nil {
		return err
	}
	var refused uint64
	var why error
	err = foreign.OTLP(message, func(p foreign.Profile) error {
		e := store.Entry{Service: p.Service, Labels: p.Labels, Time: p.Time}
		if e.Service == "" {
			e.Service = unknownService
		}
		fromSender(e.Labels, r)
		_, err := h.server.Append(r.Context(), e, p.Data)
		for _, final := range []error{store.ErrProfile, store.ErrLabels, store.ErrTime, store.ErrMany} {
			if errors.Is(err, final) {
				refused, why = refused+1, err
				return nil
			}
		}
		return err
	})
	if errors.Is(err, foreign.ErrLarge) {
		return httpError{http.StatusRequestEntityTooLarge, err}
	}
	if errors.Is(err, foreign.ErrForm) {
		return bad("%w", err)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	if refused == 0 {
		return nil
	}
	part := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), refused)
	part = protowire.AppendString(protowire.AppendTag(part, 2, protowire.BytesType), termtext.Harmless(why.Error()))
	_, err = w.Write(protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), part))
	return err
}
