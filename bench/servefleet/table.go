package main

import (
	"context"
	_ "embed"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/store"
)

type usage struct{ CPU, RSS float64 }

// measurement is all that the page shows.
type measurement struct {
	*settings
	Serve, Answering usage
	Forwarder        usage // serve in front of the Pyroscope
	Pyroscope        struct {
		usage
		Profiles float64
		Disk     int64
	}
	Heaps, cpus int
	Late        int           // heap profiles that came more than a second after their time, or never
	Latest      time.Duration // the longest distance of two heap profiles of a process
	Disk        int64
}

// Scrapes is the number of profiles that serve kept.
func (m *measurement) Scrapes() int { return m.Heaps + m.cpus }

// DiskOfDay is the disk that serve would use in a day.
func (m *measurement) DiskOfDay() float64 { return float64(m.Disk) / m.Duration.Seconds() * 86400 }

// every is how often serve takes heap profiles by default.
const every = 15 * time.Second

// look reads the store of serve.
func (m *measurement) look(ctx context.Context, dir string) error {
	kept, err := store.Open(dir, store.Options{})
	if err != nil {
		return err
	}
	defer kept.Close()
	now := time.Now()
	services, err := kept.Services(ctx, now.Add(-24*time.Hour), now)
	if err != nil {
		return err
	}
	last := map[string]time.Time{} // process → its last heap profile
	var end time.Time
	for _, service := range services {
		all, err := kept.Select(ctx, store.Query{Service: service, From: now.Add(-24 * time.Hour), To: now})
		if err != nil {
			return err
		}
		for _, e := range all {
			switch process := e.Labels["instance"]; e.Kind {
			case store.CPU:
				m.cpus++
			case store.Heap:
				m.Heaps++
				if before := last[process]; !before.IsZero() {
					m.Latest = max(m.Latest, e.Time.Sub(before))
					if e.Time.Sub(before) > every+time.Second {
						m.Late++
					}
				}
				last[process], end = e.Time, latest(end, e.Time)
			}
		}
	}
	m.Late += m.Targets - len(last) // processes without any
	for _, t := range last {
		if end.Sub(t) > every+time.Second {
			m.Late++
		}
	}
	u, err := kept.Usage()
	m.Disk = u.Bytes
	return err
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

//go:embed page.tmpl
var text string

// page returns the page. A Pyroscope has a part of it if it took profiles.
func (m *measurement) page() string {
	return page.Head("servefleet", "servefleet.md", "Serve with many targets", page.Fill(text, m))
}
