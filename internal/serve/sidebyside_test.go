package serve

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/verdict"
)

// deployment keeps half an hour of profiles of two versions, six processes of each. The
// newer one takes so many samples more, on average, in a function, until a minute.
func deployment(t *testing.T, s *Server, more float64, until int, counted bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	const minutes = 30
	for replica := range 12 {
		version, load := "v1", 0.5+rng.Float64()
		if replica%2 == 1 {
			version = "v2"
		}
		labels := store.Labels{"instance": fmt.Sprint(replica), "version": version}
		requests, allocated := int64(0), int64(0)
		for minute := range minutes {
			e := store.Entry{Service: "shop", Time: noon.Add(time.Duration(minute-minutes) * time.Minute), Labels: labels}
			extra := 0.0
			if version == "v2" && minute < until {
				extra = more
			}
			of := func(mean float64) int64 { return int64(load * mean * (0.95 + 0.1*rng.Float64())) }
			cpu := profiletest.NewCPU().
				CPU(of(400), "example.org/shop.parse@/src/shop/parse.go:5 example.org/shop.handle@/src/shop/handle.go:9"+profiletest.Main).
				CPU(of(100+extra), "runtime.memmove@/go/src/runtime/memmove.s:1 example.org/shop.price@/src/shop/price.go:7 example.org/shop.handle@/src/shop/handle.go:12"+profiletest.Main)
			cpu.DurationNanos = 10e9
			if minute%3 == 0 {
				keep(t, s, e, cpu)
			}
			allocated += of(1000+10*extra) << 20
			keep(t, s, e, profiletest.NewHeap(0).Heap(allocated, 100, planted))
			requests += int64(load * 6000)
			if counted {
				e.Kind, e.Figures = store.Figures, []store.Figure{{Name: scrape.Requests, Value: requests}}
				keep(t, s, e, nil)
			}
		}
	}
}

func TestSideBySide(t *testing.T) {
	w := Window{Service: "shop", From: noon.Add(-time.Hour), To: noon}
	for name, c := range map[string]struct {
		more             float64
		until            int
		counted          bool
		confirmed, bytes bool
	}{
		"worse":               {more: 40, until: 30, confirmed: true},
		"worse per request":   {more: 40, until: 30, counted: true, confirmed: true, bytes: true},
		"equal":               {counted: true},
		"only after a start":  {more: 60, until: 15, counted: true},
		"less than the floor": {more: 1, until: 30, counted: true},
	} {
		s := opened(t)
		deployment(t, s, c.more, c.until, c.counted)
		got, err := s.SideBySide(t.Context(), w, "")
		if err != nil {
			t.Fatal(name, err)
		}
		if got.Before != "v1" || got.After != "v2" || got.CPU == nil || got.Bytes == nil || got.CPU.Before != 6 || got.CPU.PerWork != c.counted {
			t.Fatalf("%s: %+v", name, got)
		}
		found, err := s.regressions(t.Context(), "shop", w.From, w.To)
		if err != nil {
			t.Fatal(name, err)
		}
		confirmed := false
		for _, r := range found {
			confirmed = confirmed || r.Column == "cpu"
			if r.Column == "cpu" && (r.Change.Function != "example.org/shop.price" || r.Change.Line != 7) {
				t.Errorf("%s: %+v", name, r.Change)
			}
		}
		if confirmed != c.confirmed {
			t.Errorf("%s: %+v", name, found)
		}
		// The allocations of a service that has one function grow only per request.
		if bytes := len(found) > 0 && found[len(found)-1].Column == "alloc_space"; bytes != c.bytes {
			t.Errorf("%s: %+v", name, found)
		}
		if c.until == 15 && (len(got.CPU.Changes) == 0 || got.CPU.Changes[0].Verdict != verdict.Worse || !got.CPU.Changes[0].Gone) {
			t.Errorf("%s: %+v", name, got.CPU.Changes)
		}
		if _, err := s.SideBySide(t.Context(), Window{Service: "shop", From: noon.Add(-5 * time.Minute), To: noon}, ""); !errors.Is(err, ErrOne) {
			t.Errorf("%s: five minutes are enough: %v", name, err)
		}
	}
}

// An alarm needs two judgements in a row.
func TestConfirm(t *testing.T) {
	s := opened(t)
	deployment(t, s, 40, 30, true)
	found, err := s.regressions(t.Context(), "shop", noon.Add(-time.Hour), noon)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for range 2 {
		s.confirm(found)
	}
	if len(s.worse) != len(found) {
		t.Error(s.worse)
	}
	s.confirm(nil)
	if len(s.worse) != 0 {
		t.Error("it is remembered after a judgement without it")
	}
}

// The profile for the compiler says how much of it the newest version still has.
func TestPGO(t *testing.T) {
	s := opened(t)
	for i, version := range []string{"v1", "v2"} {
		cpu := profiletest.NewCPU().CPU(50, "example.org/shop.parse@/src/shop/parse.go:5"+profiletest.Main)
		if version == "v1" {
			cpu.CPU(100, "example.org/shop.removed@/src/shop/parse.go:9"+profiletest.Main)
		}
		cpu.DurationNanos = 10e9
		keep(t, s, store.Entry{Service: "shop", Time: noon.Add(time.Duration(i-10) * time.Minute), Labels: store.Labels{"version": version}}, cpu)
	}
	p, err := s.PGO(t.Context(), Window{Service: "shop", From: noon.Add(-time.Hour), To: noon})
	if err != nil {
		t.Fatal(err)
	}
	if p.Matches != 0.5 || p.Version != "v2" || p.Profiles != 2 || !p.Newest.Equal(noon.Add(-9*time.Minute)) || p.Profile.Total(0) != 200 {
		t.Errorf("%+v", p)
	}
}

// A line of a library is added up over services, and goroutines are sorted by their growth.
func TestFleetRankings(t *testing.T) {
	line := func(version string) rules.Finding {
		return rules.Finding{Function: "example.org/lib.Encode", File: "/go/pkg/mod/example.org/lib@" + version + "/encode.go", Line: 3,
			CPU: evidence.Range{Low: 0.1, High: 0.2}}
	}
	leak := func(growth float64) rules.Finding {
		return rules.Finding{Rule: "goroutine-leak", Function: "example.org/shop.wait", File: "/src/shop/wait.go", Line: 1,
			Evidence: []rules.Figure{{Name: "goroutines", Value: 10}, {Name: "growth", Value: growth}}}
	}
	var one, two = line("v1.0.0"), line("v1.1.0")
	slow, fast := leak(1), leak(5)
	ranking := []Rank{
		{Service: "a", Finding: &one, Cores: evidence.Range{Low: 1, High: 2}},
		{Service: "b", Finding: &two, Cores: evidence.Range{Low: 10, High: 20}},
		{Service: "a", Finding: &slow}, {Service: "b", Finding: &fast},
	}
	usage := map[string]Usage{"a": {Processes: 2}, "b": {Processes: 3}}
	libs := libraries(ranking, usage, Rates{CoreHour: 1})
	if len(libs) != 1 || libs[0].Cores != (evidence.Range{Low: 11, High: 22}) || len(libs[0].Services) != 2 || libs[0].File != two.File {
		t.Errorf("%+v", libs)
	}
	found := leaks(ranking, usage)
	if len(found) != 2 || found[0].Service != "b" || found[0].PerMinute != 15 || found[0].Goroutines != 30 {
		t.Errorf("%+v", found)
	}
}
