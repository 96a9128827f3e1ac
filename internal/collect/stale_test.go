package collect

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	gpprof "github.com/google/pprof/profile"
)

// A diagnosis asks for a collection before each profile of a very small heap, for some where none
// runs between two profiles of a small one, and for none if the heap is large.
func TestStale(t *testing.T) {
	grown := func(by int64) []byte {
		return changedHeap(t, func(p *gpprof.Profile) { p.Sample[0].Value[1] += by })
	}
	of := func(live int64) []byte {
		return changedHeap(t, func(p *gpprof.Profile) { p.Sample[0].Value[3] += live })
	}
	for name, test := range map[string]struct {
		when    When
		profile func(n int) []byte
		asked   string
	}{
		"never":     {Never, func(int) []byte { return grown(0) }, ""},
		"always":    {Always, func(int) []byte { return grown(0) }, "0123456789"},
		"idle":      {IfStale, func(int) []byte { return grown(0) }, "123456789"},
		"not small": {IfStale, func(int) []byte { return of(2 * freely) }, "269"},
		"busy":      {IfStale, func(n int) []byte { return grown(int64(n)) }, "123456789"},
		"large":     {IfStale, func(int) []byte { return of(2 * mostAsked) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, n, asked := newService(t), 0, ""
				s["/debug/pprof/heap"] = func(w http.ResponseWriter, r *http.Request) {
					if r.FormValue("debug") == "1" {
						http.NotFound(w, r)
						return
					}
					if r.FormValue("gc") == "1" {
						asked += fmt.Sprint(n)
					}
					w.Write(test.profile(n))
					n++
				}
				plan := start(t, s)
				plan.Watch, plan.GC = 10, test.when
				doc, err := Run(t.Context(), plan)
				if err != nil {
					t.Fatal(err)
				}
				noted := 0
				for _, f := range doc.Files {
					noted += strings.Count(f.URL, "gc=1")
				}
				if asked != test.asked || noted != len(asked) {
					t.Errorf("asked before %q and noted %d, want %q", asked, noted, test.asked)
				}
			})
		})
	}
}

// A service that reports its live heap after a collection collects once for each profile.
func TestSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, profiles, collections := newService(t), 0, 0
		s["/debug/pprof/heap"] = func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("gc") == "1" {
				collections++
			}
			if r.FormValue("debug") == "1" {
				fmt.Fprintf(w, "heap profile: 0: 0 [0: 0] @ heap/1048576\n\n# runtime.MemStats\n# Sys = 9999999\n# HeapAlloc = %d\n", collections)
				return
			}
			profiles++
			w.Write(changedHeap(t, func(*gpprof.Profile) {}))
		}
		plan := start(t, s)
		plan.Watch, plan.GC = 6, Always
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if profiles != 6 || collections != 6 {
			t.Errorf("%d profiles and %d collections", profiles, collections)
		}
		n := int64(0)
		for _, f := range doc.Files {
			if f.Type != "heap" {
				continue
			}
			if n++; f.Live != n || !f.Asked() {
				t.Errorf("heap profile %d: %+v", n, f)
			}
		}
	})
}
