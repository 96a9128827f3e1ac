package scrape

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heapwright/heapwright/internal/store"
	"pgregory.net/rapid"
)

// Each job is due once in each interval, at a place in it that does not move.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		j := job{kind: store.Heap, every: time.Duration(rapid.IntRange(1, 1000).Draw(r, "seconds")) * time.Second}
		now := time.Unix(int64(rapid.IntRange(0, 1<<30).Draw(r, "now")), int64(rapid.IntRange(0, 1e9-1).Draw(r, "ns")))
		first := j.next("http://a", now)
		if !first.After(now) || first.Sub(now) > j.every {
			r.Fatalf("%v after %v, with %v between two", first, now, j.every)
		}
		if second := j.next("http://a", first); second.Sub(first) != j.every {
			r.Fatalf("%v after %v", second, first)
		}
		if j.next("http://a", first.Add(-1)) != first {
			r.Fatal("the place has moved")
		}
	})
}

// An alarm comes when memory is above the share and none came within the cooldown. Within it
// one more comes, when half of the rest is used. No other one comes.
func TestAlarm(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := Alarm{Share: 0.8, Cooldown: time.Minute}
		p := &process{}
		now, last, more := time.Unix(0, 0), time.Time{}, 0.0
		for range rapid.IntRange(1, 50).Draw(r, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(r, "seconds")) * time.Second)
			used := rapid.Int64Range(0, 120).Draw(r, "used")
			figures := []store.Figure{{Name: RSS, Value: used}}
			limited := rapid.Bool().Draw(r, "limited")
			if limited {
				figures = append(figures, store.Figure{Name: Limit, Value: 100})
			}
			cooling := !last.IsZero() && now.Sub(last) < time.Minute
			want := limited && (used >= 80 && !cooling || cooling && more > 0 && float64(used) >= more)
			if got := p.alarms(a, now, figures); got != want {
				r.Fatalf("alarm %v with %d of 100, limited: %v, %v after the last", got, used, limited, now.Sub(last))
			}
			switch {
			case want && cooling:
				more = 0
			case want && used < 100:
				last, more = now, float64(used+100)/2
			case want:
				last, more = now, 0
			}
		}
	})
}

// A process that leaks up to 2% of its limit in a second gives two alarms before its end,
// wherever the looks at it are. One that does not grow is looked at no more often.
func TestFastLeak(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := Alarm{}
		a.setDefaults()
		j := job{kind: store.Figures, every: 15 * time.Second}
		perSecond := rapid.Float64Range(0, 20).Draw(r, "of 1000 in a second")
		address := rapid.String().Draw(r, "address")
		start := time.Unix(int64(rapid.IntRange(0, 100).Draw(r, "start")), 0)
		p, looks, alarms := &process{}, 0, 0
		for now := start; now.Sub(start) < time.Hour; looks++ {
			now = p.next(j.next(address, now), now)
			used := perSecond * now.Sub(start).Seconds()
			if used >= 1000 {
				r.Fatalf("killed at %.0f of 1000 after %d looks", used, looks)
			}
			if p.alarms(a, now, []store.Figure{{Name: RSS, Value: int64(used)}, {Name: Limit, Value: 1000}}) {
				if alarms++; alarms == 2 {
					return
				}
			}
		}
		if perSecond == 0 && looks > int(time.Hour/j.every)+1 {
			r.Errorf("%d looks at a process that does not grow", looks)
		}
	})
}

func TestTargets(t *testing.T) {
	for text, want := range map[string]Target{
		"shop=http://10.0.0.1:6060":           {URL: "http://10.0.0.1:6060", Service: "shop"},
		"http://pay:6060/debug/pprof/":        {URL: "http://pay:6060", Service: "pay"},
		"shop=https://a/x/debug/pprof?debug=": {URL: "https://a/x", Service: "shop"},
		"10.0.0.1:6060":                       {URL: "http://10.0.0.1:6060", Service: "10.0.0.1"},
	} {
		if got, err := ParseTarget(text); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "shop=", "ftp://x", "http://u:secret@x", "shop=http://[::1", "http://u:secret@x:y"} {
		if got, err := ParseTarget(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	if _, err := ParseTargets([]string{"a:1", "b=http://a:1"}); err == nil {
		t.Error("one process twice is no error")
	}
}

func TestFigures(t *testing.T) {
	vars := `{"memstats":{"HeapAlloc":5,"NextGC":10,"Sys":30,"HeapReleased":8,"NumGC":2},"/gc/gomemlimit:bytes":1000,
		"buildinfo":{"Main":{"Version":"(devel)"},"Settings":[{"Key":"vcs.revision","Value":"0123456789abcdef"}]}}`
	figures, version, err := readVariables([]byte(vars))
	want := []store.Figure{{Name: Live, Value: 5}, {Name: Goal, Value: 10}, {Name: Sys, Value: 22}, {Name: Collections, Value: 2}, {Name: Limit, Value: 1000}}
	if diff := cmp.Diff(want, figures); diff != "" || version != "0123456789ab" || err != nil {
		t.Error(diff, version, err)
	}
	metrics := "# HELP x\nprocess_resident_memory_bytes 1.5e+06\nprocess_cpu_seconds_total 0.25 1700000000\n" +
		"go_gc_gomemlimit_bytes 9.223372036854776e+18\nother{a=\"b\"} 1\ngo_goroutines NaN\n" +
		"http_requests_total{path=\"/a b\",code=\"200\"} 40\nhttp_requests_total{code=\"500\"} 2 1700000000\n"
	want = []store.Figure{{Name: RSS, Value: 1500000}, {Name: CPUTime, Value: 250000000}, {Name: Requests, Value: 42}}
	if diff := cmp.Diff(want, readMetrics([]byte(metrics), usualRequests)); diff != "" {
		t.Error(diff)
	}
}

// An answer of 16 MiB that is made to take memory takes little more than itself.
func TestLargeVariables(t *testing.T) {
	for _, list := range []string{`"buildinfo":{"Settings":[`, `"buildinfo":{"Deps":[`, `"memstats":{"BySize":[`, `"cmdline":[`} {
		text := []byte("{" + list + "{}" + strings.Repeat(",{}", 5<<20) + "]")
		if !strings.Contains(list, "cmdline") {
			text = append(text, '}')
		}
		text = append(text, '}')
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, version, err := readVariables(text)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || version != "" || got > 2*uint64(len(text)) {
			t.Errorf("%s…: %d MiB for %d: %v", list, got>>20, len(text)>>20, err)
		}
	}
}

func FuzzFigures(f *testing.F) {
	f.Add([]byte(`{"memstats":{"HeapAlloc":5}}`))
	f.Add([]byte("process_resident_memory_bytes 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		some, _, _ := readVariables(data)
		for _, figure := range append(some, readMetrics(data, usualRequests)...) {
			if figure.Value < 0 {
				t.Fatal(figure)
			}
		}
	})
}

// kept collects the profiles of a scraper.
type kept struct {
	mu  sync.Mutex
	all []store.Entry
}

func (k *kept) keep(_ context.Context, e store.Entry, data []byte) (store.Entry, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := e.Check(); err != nil {
		return e, err
	}
	switch string(data) {
	case "nonsense":
		return e, store.ErrProfile
	case "full":
		return e, store.ErrDisk
	}
	k.all = append(k.all, e)
	return e, nil
}

// The answers of a target about itself are bounded, and none of them stops its profiles.
func TestTargetsThatSayTooMuch(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch kind, path, _ := strings.Cut(r.URL.Path[1:], "/"); kind + " " + path {
		case "long debug/vars":
			fmt.Fprintf(w, `{"memstats":{"Sys":90},"buildinfo":{"Main":{"Version":"%s"}}}`, strings.Repeat("v", 1<<20))
		case "deep debug/vars":
			io.WriteString(w, strings.Repeat(`{"memstats":`, 1<<16))
		case "empty debug/vars", "empty metrics":
		case "negative debug/vars":
			io.WriteString(w, `{"memstats":{"Sys":-90}}`)
		case "line metrics":
			io.WriteString(w, strings.Repeat("x", 4<<20))
		case "many metrics":
			for i := range 10_000 {
				fmt.Fprintf(w, "http_requests_total{x=\"%d\"} 1\nx%d 1\n", i, i)
			}
		default:
			if strings.HasSuffix(r.URL.Path, "/heap") {
				io.WriteString(w, "profile")
				return
			}
			http.NotFound(w, r)
		}
	}))
	defer target.Close()
	k := &kept{}
	s := NewScraper(Options{Keep: k.keep})
	jobs := s.opts.Schedule.jobs()
	for name, figures := range map[string]int{"long": 1, "deep": 0, "negative": 0, "line": 0, "many": 1, "empty": 0} {
		k.all = nil
		p := &process{status: Status{Target: Target{URL: target.URL + "/" + name, Service: name}}}
		s.ask(t.Context(), p, jobs[1], false)
		want := map[int]State{1: Up}[figures] // no figures are no fault
		if p.status.Version != "" || p.status.State != want || p.status.Why != "" {
			t.Errorf("%s: %+v", name, p.status)
		}
		s.ask(t.Context(), p, jobs[0], false)
		if p.status.State != Up || len(k.all) != figures+1 {
			t.Errorf("%s: %d are kept: %s", name, len(k.all), p.status.Why)
		}
	}
}

// A fault of a target becomes its state, and a target near its limit gives evidence.
func TestAsk(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("another host was asked")
	}))
	defer elsewhere.Close()
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch kind, path, _ := strings.Cut(r.URL.Path[1:], "/"); kind + " " + path {
		case "good debug/pprof/heap", "good debug/pprof/goroutine":
			io.WriteString(w, "profile")
		case "good debug/vars":
			io.WriteString(w, `{"memstats":{"Sys":90},"/gc/gomemlimit:bytes":100}`)
		case "nonsense debug/pprof/heap":
			io.WriteString(w, "nonsense")
		case "kept debug/pprof/heap":
			io.WriteString(w, "full")
		case "away debug/pprof/heap":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		case "endless debug/pprof/heap":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "away debug/vars", "away metrics":
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		case "page debug/pprof/heap":
			w.Header().Set("Content-Type", "text/html")
		case "bomb debug/pprof/heap":
			w.Header().Set("Content-Encoding", "gzip")
			zw := gzip.NewWriter(w)
			zw.Write(make([]byte, 8<<20))
			zw.Close()
		case "around debug/pprof/heap":
			http.Redirect(w, r, "/around/debug/pprof/heap", http.StatusFound)
		case "slow debug/pprof/heap":
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	defer target.Close()
	k := &kept{}
	s := NewScraper(Options{Keep: k.keep, MaxBytes: 1 << 20, Timeout: 5 * time.Second, Token: "secret"})
	quick := NewScraper(Options{Keep: k.keep, Timeout: time.Millisecond})
	heap := s.opts.Schedule.jobs()[0]
	for name, want := range map[string]State{"good": Up, "nonsense": Odd, "away": Odd, "endless": Odd, "bomb": Up, "around": Odd, "page": Odd, "missing": Odd, "slow": Slow, "kept": Lost} {
		p := &process{status: Status{Target: Target{URL: target.URL + "/" + name, Service: name}, State: New}}
		asks := s
		if name == "slow" {
			asks = quick
		}
		asks.ask(t.Context(), p, heap, false)
		if p.status.State != want {
			t.Errorf("%s: %s (%s), want %s", name, p.status.State, p.status.Why, want)
		}
	}
	p := &process{status: Status{Target: Target{URL: target.URL + "/away", Service: "away", Limit: 100}}}
	s.ask(t.Context(), p, heap, false)
	s.ask(t.Context(), p, s.opts.Schedule.jobs()[1], false)
	if p.status.State != Odd || p.status.Kept > 0 {
		t.Errorf("a target without figures counts as up: %+v", p.status)
	}
	// The limit of a pod is known, but is no answer of the process.
	for _, j := range s.opts.Schedule.jobs()[:2] {
		p = &process{status: Status{Target: Target{URL: "http://127.0.0.1:1", Service: "down", Limit: 100}}}
		s.ask(t.Context(), p, j, false)
		if p.status.State != Down || p.status.Kept > 0 || strings.Contains(p.status.Why, "secret") {
			t.Errorf("%s: %+v", j.kind, p.status)
		}
	}
	k.all = nil
	p = &process{status: Status{Target: Target{URL: target.URL + "/good", Service: "good"}}}
	s.ask(t.Context(), p, s.opts.Schedule.jobs()[1], false)
	var kinds []string
	for _, e := range k.all {
		kinds = append(kinds, e.Kind)
		if e.Evidence != (e.Kind != store.Figures) {
			t.Errorf("%s is evidence: %v", e.Kind, e.Evidence)
		}
	}
	if !cmp.Equal(kinds, []string{store.Figures, store.Heap, store.Goroutine}) {
		t.Errorf("near the limit: %v", kinds)
	}
}

// A target that asks for a client certificate answers to the one of the settings.
func TestClientCertificate(t *testing.T) {
	target := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "profile")
	}))
	target.Config.ErrorLog = log.New(io.Discard, "", 0) // one handshake is meant to fail
	target.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	target.StartTLS()
	defer target.Close()
	roots := target.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	for want, certificates := range map[State][]tls.Certificate{Up: target.TLS.Certificates, Down: nil} {
		s := NewScraper(Options{Keep: (&kept{}).keep, TLS: &tls.Config{RootCAs: roots, Certificates: certificates}})
		p := &process{status: Status{Target: Target{URL: target.URL, Service: "shop"}}}
		s.ask(t.Context(), p, s.opts.Schedule.jobs()[0], false)
		if p.status.State != want {
			t.Errorf("%s (%s), want %s", p.status.State, p.status.Why, want)
		}
	}
}

// After the clock was set back, the profiles of a process count as another one's. The next
// profiles have the labels that a list of targets has changed.
func TestChangesUnderWay(t *testing.T) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "profile")
	}))
	defer target.Close()
	k := &kept{}
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	s := NewScraper(Options{Keep: k.keep, Now: func() time.Time { return now }})
	s.running[target.URL] = &process{} // so that nothing asks it meanwhile
	ask := func(version string, minutes int) {
		s.Set(t.Context(), []Target{{URL: target.URL, Service: "shop", Version: version}})
		now = now.Add(time.Duration(minutes) * time.Minute)
		p := s.running[target.URL]
		for _, j := range s.opts.Schedule.jobs()[:3] {
			if j.kind != store.Figures {
				s.ask(t.Context(), p, j, false)
			}
		}
	}
	ask("v1", 0)
	ask("v1", 1)
	ask("v2", 1)
	ask("v2", -60)
	ask("v2", 1)
	ask("v2", -60)
	var got []string
	for _, e := range k.all {
		if e.Kind == store.Heap {
			got = append(got, e.Labels["version"]+e.Labels[clockLabel])
		}
	}
	if want := []string{"v1", "v1", "v2", "v21", "v21", "v22"}; !cmp.Equal(got, want) || len(k.all) != 2*len(want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// While the store is busy, the large answers of many targets do not pile up in memory.
func TestLargeAnswersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := make(chan struct{})
		var inMemory atomic.Int64
		s := NewScraper(Options{Timeout: time.Hour, Keep: func(_ context.Context, e store.Entry, _ []byte) (store.Entry, error) {
			<-busy
			inMemory.Add(-1)
			return e, nil
		}})
		s.client = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(&counted{n: 1 << 20, to: &inMemory}), Request: r}, nil
		})}
		heap := s.opts.Schedule.jobs()[0]
		var asks sync.WaitGroup
		for i := range 100 {
			p := &process{status: Status{Target: Target{URL: fmt.Sprint("http://target-", i), Service: "shop"}}}
			asks.Go(func() { s.ask(t.Context(), p, heap, false) })
		}
		synctest.Wait()
		most := inMemory.Load()
		close(busy)
		asks.Wait()
		if most != mostLarge || inMemory.Load() != 0 {
			t.Errorf("%d large answers were in memory, and %d are", most, inMemory.Load())
		}
	})
}

// counted is a body that counts when more than a small part of it was read.
type counted struct {
	n    int
	to   *atomic.Int64
	over bool
}

func (c *counted) Read(b []byte) (int, error) {
	if c.n == 0 {
		return 0, io.EOF
	}
	n := min(len(b), c.n)
	if c.n -= n; c.n < 1<<20-smallBytes && !c.over {
		c.over = true
		c.to.Add(1)
	}
	return n, nil
}
