package collect

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatch(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		plan := start(t, newService(t))
		plan.Watch = 7
		seconds := time.Duration(0)
		plan.Event = func(e Event) {
			if e.Recording == 0 {
				return
			}
			if e.Type != "cpu" || e.Recording != DefaultDuration || e.Elapsed != seconds*time.Second {
				t.Errorf("%+v after %d seconds", e, seconds)
			}
			seconds++
		}
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range []string{"heap", "goroutine"} {
			if n := len(doc.Paths("", typ)); n != 7 {
				t.Errorf("%d %s profiles", n, typ)
			}
		}
		if taken := doc.Finished.Sub(doc.Started); taken != DefaultDuration || seconds != 31 {
			t.Errorf("%d events in %v", seconds, taken)
		}
		wantWhole(t, plan.Dir)
	})
}

// A service that stops to answer is not asked again and again.
func TestWatchEndsWithTheAnswers(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		first, asked := s["/debug/pprof/heap"], 0
		s["/debug/pprof/heap"] = func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked > 2 {
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			first(w, r)
		}
		plan := start(t, s)
		plan.Watch = 10
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || len(doc.Paths("", "heap")) != 2 || asked != 4 { // the last is that of the window's end
			t.Errorf("%v: %d heap profiles of %d", err, len(doc.Paths("", "heap")), asked)
		}
	})
}

// A goroutine profile that takes long is not repeated within the window.
func TestSlowGoroutinesAreSpared(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		quick := s["/debug/pprof/goroutine"]
		s["/debug/pprof/goroutine"] = func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(3 * time.Second)
			quick(w, r)
		}
		plan := start(t, s)
		plan.Watch = 10
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if heaps, goroutines := len(doc.Paths("", "heap")), len(doc.Paths("", "goroutine")); heaps != 10 || goroutines != 2 || len(doc.Warnings) != 1 {
			t.Errorf("%d heap and %d goroutine profiles, %q", heaps, goroutines, doc.Warnings)
		}
	})
}
