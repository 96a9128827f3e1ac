package collect

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// hang answers nothing until the client goes.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// A service that hangs after its first heap profile holds nobody for a timeout at
// each step. What is missing is reported with its URL, and the profile is kept.
func TestServiceThatHangs(t *testing.T) {
	heaps := recordings().heaps
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		plan := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n := asked.Add(1); r.URL.Path == heap.path && n <= 3 {
				w.Write(heaps[0])
				return
			}
			hang(w, r)
		}))
		plan.Trace, plan.Watch = time.Second, 10
		var waited []string
		plan.Event = func(e Event) {
			if e.Patience > 0 {
				waited = append(waited, e.Progress().Doing)
			}
		}
		began := time.Now()
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || len(doc.Paths("", "heap")) != 1 {
			t.Fatalf("%+v, %v", doc, err)
		}
		// The first answer may be late by the timeout, two later ones by a part of it.
		if took := time.Since(began); took != DefaultDuration+DefaultTimeout+2*DefaultTimeout/hurry {
			t.Errorf("collecting took %v", took)
		}
		for typ, says := range map[string]string{
			"vars":      "http://shop:6060/debug/vars: no whole answer within 30s; allow more with -timeout",
			"goroutine": "http://shop:6060/debug/pprof/goroutine: no whole answer within 5s; allow more with -timeout",
			"cpu":       "http://shop:6060/debug/pprof/profile?seconds=30: no whole answer within 35s; allow more with -timeout",
			"mutex":     "http://shop:6060/debug/pprof/mutex: not asked, because the service had stopped answering",
			"trace":     "http://shop:6060/debug/pprof/trace?seconds=1: not asked",
		} {
			if !slices.ContainsFunc(doc.Missing, func(m Missing) bool { return m.Type == typ && m.Failed && strings.HasPrefix(m.Reason, says) }) {
				t.Errorf("%s: want %q, missing: %+v", typ, says, doc.Missing)
			}
		}
		for i, w := range waited {
			if w == "waiting for rss" { // asked for at once with vars, and one of the two is shown
				waited[i] = "waiting for vars"
			}
		}
		waited = slices.Compact(waited)
		if want := []string{"waiting for vars", "waiting for goroutine", "waiting for CPU"}; !slices.Equal(waited, want) {
			t.Errorf("waited for %q, want %q", waited, want)
		}
	})
}

// One address that hangs takes nothing from the others.
func TestOneAddressHangs(t *testing.T) {
	recordings()
	for _, path := range []string{vars.path, mutex.path, "/metrics"} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s[path] = hang
			plan := start(t, s)
			plan.Trace = time.Second
			began := time.Now()
			doc, err := Run(t.Context(), plan)
			if doc == nil || err != nil && !errors.Is(err, ErrIncomplete) {
				t.Fatalf("%s: %+v, %v", path, doc, err)
			}
			for _, typ := range []string{"heap", "cpu", "goroutine", "allocs", "trace"} {
				if doc.Paths("", typ) == nil {
					t.Errorf("%s: no %s: %+v", path, typ, doc.Missing)
				}
			}
			if took := time.Since(began); took > DefaultDuration+DefaultTimeout+DefaultTimeout/hurry {
				t.Errorf("%s: collecting took %v", path, took)
			}
		})
	}
}

// Waiting for an answer shows once the recording beside it is over, not between its seconds.
func TestOneProgressAtATime(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		first := s[heap.path]
		asked := 0
		s[heap.path] = func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 2 {
				hang(w, r)
				return
			}
			first(w, r)
		}
		s[cpu.path] = hang
		plan := start(t, s)
		plan.Watch = 10
		var types []string
		plan.Event = func(e Event) {
			if e.File == "" {
				types = append(types, e.Progress().Doing)
			}
		}
		if _, err := Run(t.Context(), plan); !errors.Is(err, ErrIncomplete) {
			t.Fatal(err)
		}
		types = slices.Compact(types)
		if want := []string{"CPU for 30s", "waiting for heap", "waiting for CPU", "CPU for 30s"}; !slices.Equal(types, want) {
			t.Errorf("%q, want %q", types, want)
		}
	})
}
