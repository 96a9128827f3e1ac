package view

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Names, labels and errors from outside are text on the page of the fleet, which has no
// escape sequence of them, either. It shows since when a source fails and why nothing is kept.
func TestForeignText(t *testing.T) {
	const hostile = "\"><img src=x onerror=alert(1)>\x1b[31m\u202e"
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	window := serve.Window{Service: hostile, From: at, To: at.Add(time.Hour)}
	f := &serve.Fleet{
		From: at, To: at.Add(time.Hour),
		Services: []*serve.Judgement{{Window: window, Usage: serve.Usage{Versions: []string{hostile}}, Err: errors.New(hostile)}},
		Alarms:   []serve.Alarm{{Service: hostile, Instance: hostile, Time: at}},
		Sources:  []discover.Status{{Source: hostile, Targets: 3, Err: errors.New(hostile), Since: at}},
		Targets: []scrape.Status{{State: scrape.Odd, Why: hostile,
			Target: scrape.Target{URL: "http://x/" + hostile, Service: hostile, Version: hostile}}},
		Store:   store.Usage{Unwritable: errors.New("the disk is full " + hostile)},
		Damaged: errors.New(hostile),
		Origin:  "http://pyroscope" + hostile,
		Forward: &forward.Status{Sent: 1, Err: errors.New("connection refused" + hostile), Since: at,
			QueueStats: store.QueueStats{Values: 7, Bytes: 2048, Most: 1 << 30, Oldest: at, Lost: map[string]int64{store.Full: 3, hostile: 1}}},
	}
	var page strings.Builder
	if err := Fleet(&page, f); err != nil {
		t.Fatal(err)
	}
	for _, harm := range []string{"<img", "\x1b", "\u202e"} {
		if at := strings.Index(page.String(), harm); at >= 0 {
			t.Errorf("%q: %s", harm, page.String()[max(0, at-200):at+20])
		}
	}
	for _, want := range []string{"failing since 2026-03-04 12:00:00 UTC, its 3 targets kept", "the disk is full",
		"Sent since the start: 1 profile", "Waiting since 2026-03-04 12:00:00 UTC: 7 profiles of 2 KiB.", "Sending fails since 2026-03-04 12:00:00 UTC: connection refused", "3 profiles: the queue was full"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	page.Reset()
	if err := (&Service{Judgement: f.Services[0], Asked: window}).Write(&page); err != nil || strings.Contains(page.String(), "<img") {
		t.Error(page.String(), err)
	}
}

// Of the rules that need the source, which a server never has, the page of a service says one
// sentence, and all that a real diagnosis notes otherwise. Tiny amounts have no exponent.
func TestNotes(t *testing.T) {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	cpu := profiletest.NewCPU().CPU(100, "app.f@x.go:1"+profiletest.Main)
	var file bytes.Buffer
	if err := cpu.Write(&file); err != nil {
		t.Fatal(err)
	}
	profiles := evidence.NewProfiles(0)
	if err := profiles.AddBytes("cpu", file.Bytes()); err != nil {
		t.Fatal(err)
	}
	profiles.Note("2 programs have the name of this service")
	d, err := diagnose.Profiles(t.Context(), "shop", profiles, evidence.Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Notes) < 5 {
		t.Errorf("the diagnosis has few notes: %q", d.Notes)
	}
	var page strings.Builder
	s := &Service{Judgement: &serve.Judgement{Window: serve.Window{Service: "shop", From: at, To: at.Add(time.Hour)}, Diagnosis: d,
		Usage: serve.Usage{Processes: 1, Cores: 1.7e-05}}}
	if err := s.Write(&page); err != nil {
		t.Fatal(err)
	}
	for text, times := range map[string]int{"need the source": 1, "without the source": 0, "was not asked": 0,
		"heapwright diagnose serve+URL -service shop": 1, "2 programs have the name": 1, "&lt;0.001 cores": 1, "e-05": 0} {
		if got := strings.Count(page.String(), text); got != times {
			t.Errorf("%q is there %d times, not %d", text, got, times)
		}
	}
}
