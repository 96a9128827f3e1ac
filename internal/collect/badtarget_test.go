package collect

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gpprof "github.com/google/pprof/profile"
)

// bomb is 4 MiB of zeros in 4 KiB.
func bomb() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(make([]byte, 4<<20))
	w.Close()
	return b.Bytes()
}

// hijack answers with bytes that are no answer, or only the beginning of one.
func hijack(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.Write([]byte(answer))
			conn.Close()
		}
	}
}

// misbehaviours by their words in the error.
var misbehaviours = map[string]struct {
	h    http.HandlerFunc
	says string
}{
	"hangs": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no whole answer within"},
	"a byte a second": {func(w http.ResponseWriter, r *http.Request) {
		for tick := time.Tick(time.Second); ; {
			w.Write([]byte{0x1f})
			http.NewResponseController(w).Flush()
			select {
			case <-tick:
			case <-r.Context().Done():
				return
			}
		}
	}, "no whole answer within"},
	"404": {http.NotFound, "404 Not Found"},
	"500": {func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "cpu profiling already in use\x1b[31m\nmore", 500)
	}, `500 Internal Server Error, "cpu profiling already in use\x1b[31m"`},
	"a write timeout": {func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "profile duration exceeds server's WriteTimeout", 400)
	}, `"profile duration exceeds server's WriteTimeout"; give a shorter -duration`},
	"401":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "-token-file"},
	"HTML":     {send([]byte("<!DOCTYPE html><p>Log in\n")), "HTML page"},
	"HTML 404": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", 404) }, "404 Not Found"},
	"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://evil.example/x", http.StatusFound)
	},
		`redirected to "http://evil.example/x", another host`},
	"in circles":    {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, "redirected 10 times"},
	"dies half way": {hijack("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n\x1f\x8b"), "broke off after 2 bytes"},
	"dies at once":  {hijack(""), "EOF"},
	"no HTTP":       {hijack("SSH-2.0-OpenSSH\r\n"), "malformed HTTP"},
	"gzip bomb":     {send(bomb()), "-max-bytes"},
	"gzip bomb as Content-Encoding": {func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb())
	}, "-max-bytes"},
	"endless header": {func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		for line := []byte("HTTP/1.1 200 OK\r\n"); err == nil; line = []byte("X-Padding: of another line\r\n") {
			_, err = conn.Write(line)
		}
	}, "headers exceeded 262144 bytes"},
	"endless":         {send(make([]byte, 2<<20)), "-max-bytes"},
	"cut off":         {send(recordings().heaps[0][:100]), "cut off"},
	"another kind":    {send(recordings().goroutine), `profile: it counts "goroutine"`},
	"an empty answer": {send(nil), "the file is empty"},
	"JSON":            {send([]byte(`{"error":"no"}`)), "JSON"},
	"text":            {send([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n")), "?debug=1"},
}

// wantOneLine checks that an error is one harmless line that names the URL.
func wantOneLine(t *testing.T, err, url, says string) {
	t.Helper()
	if !strings.Contains(err, url) || !strings.Contains(err, says) || strings.ContainsAny(err, "\n\r\x1b") {
		t.Errorf("%q is not one line that names %s and says %q", err, url, says)
	}
}

// A service that misbehaves from the start leaves nothing.
func TestBadTargets(t *testing.T) {
	for name, m := range misbehaviours {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				plan := start(t, service{"/debug/pprof/heap": m.h})
				plan.MaxBytes = 1 << 20
				doc, err := Run(t.Context(), plan)
				if err == nil || doc != nil {
					t.Fatalf("%+v, %v", doc, err)
				}
				wantOneLine(t, err.Error(), "http://shop:6060/debug/pprof/heap", m.says)
				if left := names(t, plan.Dir); len(left) != 0 {
					t.Errorf("left behind: %q", left)
				}
			})
		})
	}
}

// A part that is asked for twice is missing once.
func TestMissingOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		delete(s, "/debug/vars")
		doc, err := Run(t.Context(), start(t, s))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range doc.Missing {
			if m.Type == "vars" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("missing: %+v", doc.Missing)
		}
	})
}

// One that begins to in the middle leaves all but that.
func TestBadInTheMiddle(t *testing.T) {
	for name, m := range misbehaviours {
		if name == "another kind" {
			continue // it is of the right one here
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(t)
				s["/debug/pprof/goroutine"] = m.h
				plan := start(t, s)
				plan.MaxBytes = 1 << 20
				doc, err := Run(t.Context(), plan)
				if !errors.Is(err, ErrIncomplete) {
					t.Fatalf("%+v, %v", doc, err)
				}
				wantWhole(t, plan.Dir)
				for _, missing := range doc.Missing {
					if missing.Type == "goroutine" && missing.Failed {
						wantOneLine(t, missing.Reason, "http://shop:6060/debug/pprof/goroutine", m.says)
						return
					}
				}
				t.Errorf("missing: %+v", doc.Missing)
			})
		})
	}
}

// A service that dies in the window: files from before it are kept, and nobody waits
// for the rest of the window.
func TestDiesInTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		srv := &http.Server{Handler: s}
		l := &listener{conns: make(chan net.Conn), done: make(chan struct{})}
		go srv.Serve(l)
		s["/debug/pprof/profile"] = func(http.ResponseWriter, *http.Request) {
			time.Sleep(5 * time.Second)
			srv.Close()
		}
		plan := Plan{URL: "shop:6060", Dir: t.TempDir(), dial: l.dial}
		began := time.Now()
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || len(doc.Paths("", "heap")) != 1 || time.Since(began) != 5*time.Second {
			t.Errorf("after %v: %+v, %v", time.Since(began), doc, err)
		}
		wantWhole(t, plan.Dir)
	})
}

// A service that does not record CPU still tells its allocations in the window.
func TestCPUProfileRefused(t *testing.T) {
	for _, name := range []string{"500", "HTML", "elsewhere", "another kind", "cut off", "an empty answer", "gzip bomb", "endless"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(t)
				s["/debug/pprof/profile"] = misbehaviours[name].h
				plan := start(t, s)
				plan.MaxBytes = 1 << 20
				doc, err := Run(t.Context(), plan)
				if !errors.Is(err, ErrIncomplete) || doc.WindowSeconds != 30 || doc.AllocSpace == nil || doc.Ceiling != nil {
					t.Errorf("%+v, %v", doc, err)
				}
			})
		})
	}
}

// Several processes under one name: the second answer has fewer allocations.
func TestLoadBalancer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, calls := newService(t), 0
		s["/debug/pprof/heap"] = func(w http.ResponseWriter, _ *http.Request) {
			calls++
			w.Write(recordings().heaps[calls%2])
		}
		plan := start(t, s)
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || doc.AllocSpace != nil || len(doc.Paths("", "allocs")) != 0 {
			t.Fatalf("%+v, %v", doc, err)
		}
		wantOneLine(t, doc.Missing[0].Reason, "http://shop:6060/debug/pprof/heap", "several answer under this name")
	})
}

// An answer of HTTP/1.0 ends with its connection: of a profile it shows whether it
// is whole, of a trace nobody can tell.
func TestAnswersThatEndWithTheConnection(t *testing.T) {
	const head = "HTTP/1.0 200 OK\r\n\r\n"
	goroutines := recordings().goroutine
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/trace"] = hijack(head + "go 1.26 trace\x00\x00\x00\x01")
		s["/debug/pprof/goroutine"] = hijack(head + string(goroutines))
		plan := start(t, s)
		plan.Trace = time.Second
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || len(doc.Paths("", "goroutine")) != 3 || len(doc.Paths("", "trace")) != 0 {
			t.Fatalf("%+v, %v", doc, err)
		}
		i := slices.IndexFunc(doc.Missing, func(m Missing) bool { return m.Failed })
		wantOneLine(t, doc.Missing[i].Reason, "http://shop:6060/debug/pprof/trace", "does not say where it ends")
	})
}

// Profiles sampled at different rates cannot be subtracted.
// changedHeap returns the later heap profile of the recordings after a change.
func changedHeap(t *testing.T, change func(*gpprof.Profile)) []byte {
	t.Helper()
	p, err := gpprof.ParseData(recordings().heaps[1])
	if err != nil {
		t.Fatal(err)
	}
	change(p)
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSamplingRateChanged(t *testing.T) {
	changed := changedHeap(t, func(p *gpprof.Profile) { p.Period *= 2 })
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/heap"] = beforeAndAfter([2][]byte{recordings().heaps[0], changed})
		plan := start(t, s)
		doc, err := Run(t.Context(), plan)
		if !errors.Is(err, ErrIncomplete) || doc.AllocSpace != nil || len(doc.Paths("", "heap")) != 2 {
			t.Fatalf("%+v, %v", doc, err)
		}
		wantOneLine(t, doc.Missing[0].Reason, "http://shop:6060/debug/pprof/heap", "runtime.MemProfileRate")
	})
}

func TestOldPartIsNotTouched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := start(t, newService(t))
		if err := os.MkdirAll(plan.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		part := plan.Dir + "/shop_6060-heap-20000101T000000Z.pb.gz.part" // somebody's, or of a crash
		if err := os.WriteFile(part, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Paths("", "heap"); got[0] != "shop_6060-heap-20000101T000000Z-2.pb.gz" {
			t.Errorf("%q", got)
		}
		if b, _ := os.ReadFile(part); string(b) != "x" {
			t.Error("the part was touched")
		}
	})
}

func TestURLs(t *testing.T) {
	for in, want := range map[string]string{
		"localhost:6060":               "http://localhost:6060",
		"https://x.org/":               "https://x.org",
		"http://x:1/a/b/debug/pprof/":  "http://x:1/a/b",
		"http://x:1/debug/pprof/heap":  "http://x:1",
		"http://[::1]:6060/debug/vars": "http://[::1]:6060",
		"http://u:sesame@x":            "",
		"http://u:sesame@x\x7f":        "",
		"ftp://x":                      "",
		"http://":                      "",
		"http://x/?seconds=3":          "",
		"http://x:port/":               "",
	} {
		u, err := parseURL(in)
		switch {
		case want == "" && err == nil:
			t.Errorf("%q became %v", in, u)
		case want == "" && (strings.Contains(err.Error(), "sesame") || strings.ContainsAny(err.Error(), "\n\x7f")):
			t.Errorf("%q: %v", in, err)
		case want != "" && (err != nil || u.String() != want):
			t.Errorf("%q became %v, %v; want %s", in, u, err, want)
		}
	}
	for in, want := range map[string]string{"": "service", "..": "service", "../../etc": "_.._etc", "a b/ü": "a_b__", "-rf": "rf", "x:1": "x_1"} {
		if got := fileName(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
