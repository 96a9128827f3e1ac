package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func open(t *testing.T, url string) *Client {
	t.Helper()
	r, err := Source{URL: url}.Read(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRunReportsEachPhase(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1)%4 == 0 {
			http.Error(w, "not today\nsorry", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	plan, err := Plan{
		Shape: "storm", Warmup: 50 * time.Millisecond, Duration: 800 * time.Millisecond,
		Factor: 10, Storms: 2, StormLength: 100 * time.Millisecond,
	}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	var borders []string
	phases, err := Run(t.Context(), open(t, server.URL), plan, 100, func(phase string, begins bool) {
		borders = append(borders, fmt.Sprint(phase, " ", begins))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"calm true", "calm false", "storm true", "storm false"}
	if !slices.Equal(borders, slices.Concat(want, want)) {
		t.Errorf("borders %v", borders)
	}
	if len(phases) != 2 || phases[0].Name != "calm" || phases[1].Name != "storm" {
		t.Fatalf("phases %+v", phases)
	}
	for i, sent := range []int{50, 200} { // two calms of 250 ms, two storms of 100 ms
		p := phases[i]
		if d := p.Sent - sent; d < -4 || d > 4 {
			t.Errorf("%s: %d requests were due, want about %d", p.Name, p.Sent, sent)
		}
		if d := p.Errors - p.Sent/4; d < -4 || d > 4 {
			t.Errorf("%s: %d of %d requests failed, want a quarter", p.Name, p.Errors, p.Sent)
		}
		if !strings.Contains(p.FirstError, "503 Service Unavailable: not today") {
			t.Errorf("%s: first error %q", p.Name, p.FirstError)
		}
		if len(p.Doubts()) == 0 {
			t.Errorf("%s: no doubt about a server that fails", p.Name)
		}
	}
}

// A latency counts from when the request was due, not from when it was sent.
func TestNothingIsOmitted(t *testing.T) {
	s := newSchedule([]segment{{"constant", time.Second, 1, 1}}, 100)
	var hits []hit
	for i := range s.total {
		due, part := s.due(i)
		// The machine stood still for the first half second.
		sent := max(due, 500*time.Millisecond)
		hits = append(hits, hit{part: part, due: due, sent: sent, at: sent + time.Millisecond})
	}
	p := s.phases(hits, []window{{0, time.Second}}, nil)[0]
	if got, _ := p.Latency(0.99); got != 491*time.Millisecond {
		t.Errorf("p99 %v, want that of the second request: 491 ms", got)
	}
	if got, _ := p.Latency(0.5); got != time.Millisecond {
		t.Errorf("p50 %v, want that of the half that was sent in time: 1 ms", got)
	}
	if _, ok := p.Latency(0.999); ok {
		t.Error("a p99.9 of 100 requests")
	}
	if p.Answered != 100 || len(p.Doubts()) != 1 || !strings.Contains(p.Doubts()[0].What, "the load generator's") {
		t.Errorf("%d answers, doubts %v", p.Answered, p.Doubts())
	}
}

// Answers that come later than the phase are not work that was done in it.
func TestSaturation(t *testing.T) {
	s := newSchedule([]segment{{"constant", time.Second, 1, 1}}, 100)
	var hits []hit
	for i := range s.total {
		due, part := s.due(i)
		hits = append(hits, hit{part: part, due: due, sent: due, at: 2 * due})
	}
	p := s.phases(hits, []window{{0, time.Second}}, nil)[0]
	if p.Sent != 100 || p.Answered != 50 {
		t.Errorf("%d sent, %d answered, want 100 and 50", p.Sent, p.Answered)
	}
	if d := p.Doubts(); len(d) != 1 || !strings.Contains(d[0].What, "saturated") {
		t.Errorf("doubts %v", d)
	}
	values, _ := p.Figures()
	if values["requests/s"] != 50 {
		t.Errorf("%g requests/s, want 50", values["requests/s"])
	}
}

// A request that takes long without a queue, because it waits for somebody else, is
// under way at the end of any stretch.
func TestSlowIsNotSaturated(t *testing.T) {
	s := newSchedule([]segment{
		{"calm", time.Second, 1, 1}, {"storm", time.Second, 5, 5}, {"", time.Second, 1, 1},
		{"ramp", time.Second, 1, 5},
	}, 50)
	windows := make([]window, len(s.parts))
	for i, p := range s.parts {
		windows[i] = window{p.begin, p.begin + p.length}
	}
	var hits []hit
	for i := range s.total {
		due, part := s.due(i)
		hits = append(hits, hit{part: part, due: due, sent: due, at: due + 300*time.Millisecond})
	}
	for _, p := range s.phases(hits, windows, nil) {
		if d := p.Doubts(); p.Answered >= p.Sent*95/100 || len(d) != 0 {
			t.Errorf("%s: %d of %d answered in time, doubts %v", p.Name, p.Answered, p.Sent, d)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	reached := make(chan struct{}, 1000)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		<-release
	}))
	defer server.Close()
	defer close(release)
	why := errors.New("changed my mind")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-reached; cancel(why) }()
	plan, _ := Plan{Duration: time.Hour}.WithDefaults()
	if _, err := Run(ctx, open(t, server.URL), plan, 50, nil); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

// The figures until then are there all the same.
func TestRunIsCutShort(t *testing.T) {
	why := errors.New("the server ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if asked.Add(1) == 50 {
			cancel(why)
		}
	}))
	defer server.Close()
	plan, err := Plan{Shape: "lifetime", Warmup: -1, Duration: time.Hour}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	ends := 0
	phases, err := Run(ctx, open(t, server.URL), plan, 500, func(_ string, begins bool) {
		if !begins {
			ends++
		}
	})
	if !errors.Is(err, why) || ends != 0 || !plan.UntilEnd() {
		t.Errorf("error %v, %d ends of the phase", err, ends)
	}
	if p := phases[0]; p.Name != "lifetime" || p.Good < 1 || p.Good > 50 || p.Length <= 0 || p.Length > time.Minute {
		t.Errorf("phase %+v", p)
	}
}

// A request that fails as the server ends is not an error of it.
func TestWithoutEnd(t *testing.T) {
	hits := []hit{{at: 1}, {at: 2, failed: true}, {at: 5, failed: true}, {at: 3}, {at: 6, failed: true}}
	if left := withoutEnd(hits); len(left) != 3 || left[1].at != 2 || left[2].at != 3 {
		t.Errorf("left: %v", left)
	}
}

func TestRunRefusesRates(t *testing.T) {
	plan, _ := Plan{}.WithDefaults()
	for rate, want := range map[float64]string{
		0: "above 0", -1: "above 0", 1e9: "at most 1000000", 1e-6: "not one request is due",
	} {
		if _, err := Run(t.Context(), open(t, "http://127.0.0.1:1/"), plan, rate, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rate %g: %v, want %s", rate, err, want)
		}
	}
}

func TestFindCapacityOfAServerThatFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := FindCapacity(t.Context(), open(t, server.URL))
	if err == nil || !strings.Contains(err.Error(), "50 of 50 requests failed, the first with GET "+server.URL+": 404 Not Found") {
		t.Error(err)
	}
}
