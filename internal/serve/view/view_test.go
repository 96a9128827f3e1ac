package view

import (
	"errors"
	"strings"
	"testing"
	"time"

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
