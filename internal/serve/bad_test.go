package serve

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	gpprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/store"
)

// grown is the growth of the allocated objects of a service in the hour before and after noon.
func grown(t *testing.T, s *Server) int64 {
	t.Helper()
	p, err := s.Merge(t.Context(), Window{Service: "shop", From: noon.Add(-time.Hour), To: noon.Add(time.Hour)}, store.Heap)
	if err != nil {
		t.Fatal(err)
	}
	return p.Total(0)
}

// One process whose version label changes is one process of two versions. It is judged by
// the newer one, and nothing that it allocated counts twice.
func TestVersionChangesUnderWay(t *testing.T) {
	s := opened(t)
	for minute := range 10 {
		version := "v1"
		if minute >= 5 {
			version = "v2"
		}
		e := store.Entry{Service: "shop", Time: noon.Add(time.Duration(minute-10) * time.Minute),
			Labels: store.Labels{"instance": "a", "version": version}}
		keep(t, s, e, profiletest.NewHeap(0).Heap(int64(100*minute), 10, planted))
		cpu := profiletest.NewCPU().CPU(100, planted)
		cpu.DurationNanos = 10e9
		keep(t, s, e, cpu)
	}
	if got := grown(t, s); got != 800 {
		t.Errorf("it grew by %d, 400 in each version", got)
	}
	j := s.Judge(t.Context(), Window{Service: "shop", From: noon.Add(-time.Hour), To: noon})
	if j.Err != nil || j.Version != "v2" || j.Usage.Processes != 1 || fmt.Sprint(j.Usage.Versions) != "[v1 v2]" {
		t.Errorf("%+v", j)
	}
}

// The clock was set back by an hour: the snapshots after it stand between those before. With
// the label of the scraper, nothing counts twice.
func TestClockSetBack(t *testing.T) {
	s := opened(t)
	for i := range 10 {
		labels := store.Labels{"instance": "a"}
		at := noon.Add(time.Duration(i-10) * time.Minute)
		if i >= 5 {
			labels["clock"], at = "1", at.Add(-5*time.Minute-30*time.Second)
		}
		keep(t, s, store.Entry{Service: "shop", Time: at, Labels: labels}, profiletest.NewHeap(0).Heap(int64(100*i), 10, planted))
	}
	if got := grown(t, s); got != 800 {
		t.Errorf("it grew by %d", got)
	}
}

// A profile from the future is refused and counted, and leaves no service. When the clock of
// this machine is behind, the profiles that are kept stay.
func TestFuture(t *testing.T) {
	now := noon
	s, err := Open(Options{Dir: t.TempDir(), Store: store.Options{Now: func() time.Time { return now }}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.local.Close()
	keep(t, s, store.Entry{Service: "shop", Time: noon}, profiletest.NewHeap(0).Heap(1, 1, planted))
	now = noon.AddDate(0, 0, -3)
	future := store.Entry{Service: "later", Time: noon, Kind: store.Figures, Figures: []store.Figure{{Name: "x", Value: 1}}}
	if _, err := s.Append(t.Context(), future, nil); !errors.Is(err, store.ErrTime) || !strings.Contains(err.Error(), "72h0m0s ahead") {
		t.Error(err)
	}
	keep(t, s, store.Entry{Service: "shop", Time: now}, profiletest.NewHeap(0).Heap(1, 1, planted))
	if err := s.retain(t.Context()); err != nil {
		t.Error(err)
	}
	names, err := s.Store().Services(t.Context(), now.Add(-time.Hour), noon.Add(time.Hour))
	if u := s.Fleet().Store; err != nil || fmt.Sprint(names) != "[shop]" || u.Days != 2 || u.Refused.Times != 1 {
		t.Error(names, u, err)
	}
}

// Two programs that push under one name are one service, and its diagnosis says so.
func TestTwoProgramsOfOneName(t *testing.T) {
	s := opened(t)
	push := func(minute int, program string) {
		cpu := profiletest.NewCPU().CPU(100, planted)
		cpu.DurationNanos = 10e9
		cpu.Mapping = []*gpprof.Mapping{{ID: 1, Start: 1, Limit: 2, File: program}, {ID: 2, Start: 3, Limit: 4, File: "/lib/libc.so.6"}}
		keep(t, s, store.Entry{Service: "shop", Time: noon.Add(time.Duration(minute-10) * time.Minute),
			Labels: store.Labels{"instance": program}}, cpu)
	}
	said := func() string {
		j := s.Judge(t.Context(), Window{Service: "shop", From: noon.Add(-time.Hour), To: noon})
		if j.Err != nil {
			t.Fatal(j.Err)
		}
		return strings.Join(j.Diagnosis.Notes, "\n")
	}
	push(0, "/srv/v1/shop")
	push(1, "/srv/v2/shop")
	if notes := said(); strings.Contains(notes, "programs") {
		t.Error(notes)
	}
	push(2, "/srv/pay")
	if notes := said(); !strings.Contains(notes, "2 programs have the name of this service: pay, shop") {
		t.Errorf("%q", notes)
	}
}
