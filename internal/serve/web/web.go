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

// Handler answers the requests of one tenant. It serves many goroutines.
type Handler struct {
	site    *site
	server  *serve.Server
	querier *querier.Querier
	passer  passer // answers Grafana in place of querier; nil if the profiles are here
	opts    Options
	working turns // requests that compute
	sending turns // requests that send a profile
	keeping turns // the small ones whose turn it is
	large   turns // the large ones
	asking  turns // requests that send a question
	answers turns // answers that their readers take
	now     func() time.Time
}

// site holds the handlers of all tenants, by their names.
type site struct {
	opts    Options
	tenants map[string]*Handler
	working turns // requests of all tenants that compute
}

// turns bounds the requests that do something at the same time.
type turns chan struct{}

// Options of a handler.
type Options struct {
	Access  Access
	Tenants map[string]*serve.Server // the servers of the tenants that Access names
	OTLP    bool                     // take profiles of OTLP, whose format is unstable
	Rates   serve.Rates
	Log     *slog.Logger
}

// mostWork is how many requests compute at the same time. Each takes a core, and memory
// for the profiles of its window. Beside other tenants, one has a half of the turns.
const mostWork = 2

// patience is how long a request waits for its turn and computes.
const patience = 30 * time.Second

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

var errBusy = httpError{http.StatusServiceUnavailable, errors.New("too many requests at the same time; try again")}

func bad(format string, args ...any) error {
	return httpError{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

// serve runs the action of a route when it is its turn, and answers its error.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, t route) {
	if t.right == read && r.Method == http.MethodPost {
		if err := h.ask(w, r); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	waits := []turns{h.working, h.site.working}
	if t.right == write {
		select {
		case h.sending <- struct{}{}:
			defer func() { <-h.sending }()
		default:
			h.fail(w, r, errBusy)
			return
		}
		var err error
		if waits, err = h.receive(r); err != nil {
			h.fail(w, r, err)
			return
		}
	}
	var taken []turns
	release := func() {
		for _, t := range taken {
			<-t
		}
		taken = nil
	}
	defer func() { release() }()
	for _, wait := range waits {
		select {
		case wait <- struct{}{}:
			taken = append(taken, wait)
		case <-ctx.Done():
			h.fail(w, r, errBusy)
			return
		}
	}
	if t.right == write {
		if err := t.do(h, w, r.WithContext(ctx)); err != nil {
			h.fail(w, r, err)
		}
		return
	}
	a := &reply{ResponseWriter: w}
	if err := t.do(h, a, r.WithContext(ctx)); err != nil {
		a.drop()
		h.fail(a, r, err)
	}
	select {
	case h.answers <- struct{}{}:
		defer func() { <-h.answers }()
		release()
	default: // many answers wait for their readers, so this one keeps its turn
	}
	a.send()
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
	case errors.Is(err, context.DeadlineExceeded):
		code = http.StatusServiceUnavailable
	case errors.Is(err, store.ErrRemote):
		code = http.StatusBadGateway
	case errors.Is(err, store.ErrDisk):
		code = http.StatusInsufficientStorage
	}
	if r.Context().Err() == context.Canceled {
		return // nobody waits for an answer
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
