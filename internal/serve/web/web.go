// Package web answers the requests to heapwright serve: pages, and profiles for other
// programs.
//
// The stance: everything in a request is foreign. Bytes, time and the number of requests
// that work at the same time are bounded, and who may read or write follows from the
// token alone.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	diagnosed "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/querier"
	"github.com/heapwright/heapwright/internal/serve/view"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Handler answers requests. It serves many goroutines.
type Handler struct {
	server  *serve.Server
	querier *querier.Querier
	opts    Options
	working chan struct{} // requests that compute
	keeping chan struct{} // requests that send a profile
	now     func() time.Time
}

// Options of a handler.
type Options struct {
	Access Access
	Rates  serve.Rates
	Log    *slog.Logger
}

// mostWork is how many requests compute at the same time. Each takes a core, and memory
// for the profiles of its window.
const mostWork = 2

// mostKeeping is how many requests send a profile at the same time. Each holds one in
// memory.
const mostKeeping = 8

// patience is how long a request waits for its turn and computes.
const patience = 30 * time.Second

// New returns the handler of a server.
func New(s *serve.Server, opts Options) http.Handler {
	h := &Handler{server: s, opts: opts, now: time.Now,
		working: make(chan struct{}, mostWork), keeping: make(chan struct{}, mostKeeping)}
	h.querier = querier.New(s.Store(), h.now)
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", h.read(h.fleet))
	m.HandleFunc("GET /service/{service}", h.read(h.service))
	m.HandleFunc("GET /versions/{service}", h.read(h.versions))
	m.HandleFunc("GET /api/versions/{service}", h.read(h.versionsJSON))
	m.HandleFunc("GET /pgo/{service}/default.pgo", h.read(h.pgo))
	m.HandleFunc("GET /diagnosis/{service}", h.read(h.diagnosis))
	m.HandleFunc("GET /flame/{service}", h.read(h.flame))
	m.HandleFunc("GET /api/profile/{service}", h.read(h.profile))
	m.HandleFunc("GET /api/window/{service}", h.read(h.window))
	m.HandleFunc("POST /{service}/{method}", h.read(h.connect))
	m.HandleFunc("GET /pyroscope/render", h.read(h.render(h.querier.Render)))
	m.HandleFunc("GET /pyroscope/render-diff", h.read(h.render(h.querier.RenderDiff)))
	m.HandleFunc("POST /api/push/{service}", h.write(h.push))
	m.HandleFunc("POST /ingest", h.write(h.ingest))
	m.HandleFunc("POST /push.v1.PusherService/Push", h.write(h.pusher))
	return guarded(http.NewCrossOriginProtection().Handler(m))
}

// guarded adds the headers of every answer. A page of this server belongs in no frame of
// another and in no cache.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// httpError is an error with the status to answer.
type httpError struct {
	code int
	error
}

func (e httpError) Unwrap() error { return e.error }

func bad(format string, args ...any) error {
	return httpError{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

type action func(http.ResponseWriter, *http.Request) error

// limited runs an action when it is its turn, and answers its error.
func (h *Handler) limited(turns chan struct{}, do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		select {
		case turns <- struct{}{}:
			defer func() { <-turns }()
		case <-ctx.Done():
			http.Error(w, "too many requests at the same time; try again", http.StatusServiceUnavailable)
			return
		}
		if err := do(w, r.WithContext(ctx)); err != nil {
			h.fail(w, r, err)
		}
	}
}

func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	code := http.StatusInternalServerError
	var known httpError
	var tooMany *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		code = known.code
	case errors.As(err, &tooMany):
		code = http.StatusRequestEntityTooLarge
	case errors.Is(err, store.ErrNone), errors.Is(err, serve.ErrOne):
		code = http.StatusNotFound
	case errors.Is(err, store.ErrTime), errors.Is(err, store.ErrLarge):
		code = http.StatusUnprocessableEntity
	case errors.Is(err, store.ErrMany):
		code = http.StatusTooManyRequests
	case errors.Is(err, profile.ErrTooLarge):
		code = http.StatusRequestEntityTooLarge
	case errors.Is(err, store.ErrProfile), errors.Is(err, store.ErrLabels):
		code = http.StatusBadRequest
	case errors.Is(err, store.ErrReadOnly):
		code = http.StatusNotImplemented
	case errors.Is(err, context.DeadlineExceeded):
		code = http.StatusServiceUnavailable
	case errors.Is(err, store.ErrDisk):
		code = http.StatusInsufficientStorage
	}
	if code == http.StatusInternalServerError {
		h.opts.Log.Error("request", "path", r.URL.Path, "error", err)
	}
	http.Error(w, termtext.Middle(termtext.Harmless(err.Error())), code)
}

func html(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/html; charset=utf-8") }

func (h *Handler) fleet(w http.ResponseWriter, _ *http.Request) error {
	html(w)
	return view.Fleet(w, h.server.Fleet())
}

func (h *Handler) service(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	curves, err := h.server.Series(r.Context(), window)
	if err != nil {
		return err
	}
	j := h.server.Judge(r.Context(), window)
	pgo, err := h.server.PGO(r.Context(), window)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return err
	}
	html(w)
	if errors.Is(j.Err, store.ErrNone) {
		w.WriteHeader(http.StatusNotFound)
	}
	return (&view.Service{Judgement: j, Curves: curves, PGO: pgo, Asked: window, Rates: h.opts.Rates}).Write(w)
}

func (h *Handler) diagnosis(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	j := h.server.Judge(r.Context(), window)
	if j.Err != nil {
		return j.Err
	}
	html(w)
	return diagnosed.HTML(w, j.Diagnosis)
}

func (h *Handler) flame(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	kind := r.FormValue("kind")
	if _, ok := view.Kinds[kind]; !ok {
		return bad("kind %.40q: it is one of cpu, alloc_space, inuse_space, goroutine", kind)
	}
	p, err := h.merge(r.Context(), window, kind, nil)
	if err != nil {
		return err
	}
	opts := flame.Options{Title: fmt.Sprintf("%s of %s, %s to %s",
		view.Kinds[kind], window.Service, stamp(window.From), stamp(window.To))}
	if strings.HasSuffix(kind, "_space") {
		opts.Type = kind
	}
	if r.FormValue("base-from") != "" {
		base := window
		if base.From, err = parseTime(r.FormValue("base-from")); err != nil {
			return err
		}
		if base.To, err = parseTime(r.FormValue("base-to")); err != nil {
			return err
		}
		if v := r.FormValue("base-version"); v != "" {
			base.Version = v
		}
		if opts.Base, err = h.merge(r.Context(), base, kind, p); err != nil {
			return err
		}
		opts.Normalized = kind == store.CPU
		opts.Title += ", against " + stamp(base.From) + " to " + stamp(base.To)
	}
	tree, err := flame.New(p, opts)
	if err != nil {
		return err
	}
	html(w)
	return tree.WriteHTML(w)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// kindOf is the store's kind for the name of a graph.
func kindOf(graph string) string {
	if slices.Contains([]string{"alloc_space", "alloc_objects", "inuse_space", "inuse_objects"}, graph) {
		return store.Heap
	}
	return graph
}
