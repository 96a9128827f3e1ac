package web

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/querier"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/termtext"
)

const querierService = "querier.v1.QuerierService"

// connect answers RPCs of the Connect protocol (connectrpc.com/docs/protocol): the POST of
// one message, as Grafana's data source sends it. Of the services only the querier is here.
func (h *Handler) connect(w http.ResponseWriter, r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/proto" && kind != "application/json" {
		w.Header().Set("Accept-Post", "application/json, application/proto")
		return httpError{http.StatusUnsupportedMediaType,
			errors.New("send application/json or application/proto by the Connect protocol")}
	}
	if h.passer != nil && r.PathValue("service") == querierService {
		return h.pass(w, r)
	}
	var answer []byte
	switch isJSON := kind == "application/json"; r.PathValue("service") + "/" + r.PathValue("method") {
	case "settings.v1.SettingsService/Get":
		// Profiles Drilldown warns its user of an error. Without settings it has its own.
		if isJSON {
			answer = []byte("{}")
		}
	default:
		answer, err = h.query(w, r, isJSON)
	}
	if err != nil {
		return h.connectError(w, r, err)
	}
	return send(w, r, kind, http.StatusOK, answer)
}

func (h *Handler) query(w http.ResponseWriter, r *http.Request, isJSON bool) ([]byte, error) {
	if r.PathValue("service") != querierService {
		return nil, fmt.Errorf("%.100s: %w", r.URL.Path, querier.ErrUnimplemented)
	}
	in, err := body(w, r, mostAsked)
	if err != nil {
		return nil, err
	}
	return h.querier.Call(withAbilities(r), r.PathValue("method"), isJSON, in)
}

// withAbilities returns the context of a request with the abilities that the client's header
// Accept names, as in "*/*; allow-utf8-labelnames=true".
func withAbilities(r *http.Request) context.Context {
	for _, accepts := range r.Header.Values("Accept") {
		for kind := range strings.SplitSeq(accepts, ",") {
			if _, params, err := mime.ParseMediaType(kind); err == nil && params["allow-utf8-labelnames"] == "true" {
				return querier.WithAnyNames(r.Context())
			}
		}
	}
	return r.Context()
}

// send writes an answer, compressed if the client can read that.
func send(w http.ResponseWriter, r *http.Request, kind string, status int, answer []byte) error {
	w.Header().Set("Content-Type", kind)
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.WriteHeader(status)
		_, err := w.Write(answer)
		return err
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(status)
	zw, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	_, err = zw.Write(answer)
	return errors.Join(err, zw.Close())
}

// connectError answers an error as the protocol has it, whatever the form of the request.
func (h *Handler) connectError(w http.ResponseWriter, r *http.Request, err error) error {
	code, status := "internal", http.StatusInternalServerError
	var known httpError
	var tooMany *http.MaxBytesError
	switch {
	case errors.Is(err, querier.ErrUnimplemented):
		code, status = "unimplemented", http.StatusNotImplemented
	case errors.Is(err, querier.ErrRequest):
		code, status = "invalid_argument", http.StatusBadRequest
	case errors.Is(err, store.ErrLarge), errors.Is(err, profile.ErrTooLarge), errors.As(err, &tooMany):
		code, status = "resource_exhausted", http.StatusTooManyRequests
	case errors.Is(err, context.DeadlineExceeded):
		code, status = "deadline_exceeded", http.StatusGatewayTimeout
	case errors.Is(err, store.ErrRemote):
		code, status = "unavailable", http.StatusServiceUnavailable
	case errors.As(err, &known):
		code, status = "invalid_argument", known.code
	default:
		h.opts.Log.Error("request", "path", r.URL.Path, "error", err)
	}
	message := termtext.Middle(termtext.Harmless(err.Error()))
	text, err := json.Marshal(map[string]string{"code": code, "message": message})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(text)
	return err
}

// render answers the older API of Pyroscope.
func (h *Handler) render(w http.ResponseWriter, r *http.Request) error {
	return h.rendered(w, r, h.querier.Render)
}

func (h *Handler) renderDiff(w http.ResponseWriter, r *http.Request) error {
	return h.rendered(w, r, h.querier.RenderDiff)
}

func (h *Handler) rendered(w http.ResponseWriter, r *http.Request, do func(context.Context, url.Values) ([]byte, error)) error {
	if h.passer != nil {
		return h.pass(w, r)
	}
	answer, err := do(r.Context(), r.URL.Query())
	if err != nil {
		return h.connectError(w, r, err)
	}
	return send(w, r, "application/json", http.StatusOK, answer)
}
