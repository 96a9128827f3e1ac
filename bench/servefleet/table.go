package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/store"
)

type usage struct{ cpu, rss float64 }

// measurement is all that the page shows.
type measurement struct {
	*settings
	serve, targets usage
	forwarder      usage // serve in front of the Pyroscope
	pyroscope      struct {
		usage
		profiles float64
		disk     int64
	}
	heaps, cpus int
	late        int           // heap profiles that came more than a second after their time, or never
	latest      time.Duration // the longest distance of two heap profiles of a process
	disk        int64
}

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
				m.heaps++
				if before := last[process]; !before.IsZero() {
					m.latest = max(m.latest, e.Time.Sub(before))
					if e.Time.Sub(before) > every+time.Second {
						m.late++
					}
				}
				last[process], end = e.Time, latest(end, e.Time)
			}
		}
	}
	m.late += m.settings.targets - len(last) // processes without any
	for _, t := range last {
		if end.Sub(t) > every+time.Second {
			m.late++
		}
	}
	u, err := kept.Usage()
	m.disk = u.Bytes
	return err
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (m *measurement) write(w io.Writer) error {
	about := fmt.Sprintf(`%d targets answer profiles of ten programs, the benchmarks of packages of the standard library,
with changing weights. heapwright serve takes a heap profile of each every 15 s and 5 s of CPU every 5 min for %v,
with GOMAXPROCS=2. The targets are a process of their own, on the same machine.

**%d heap profiles were kept. %d came more than a second late or never; the longest time between two of one process was
%s. serve took %.2f cores and %s of memory at its peak.** %s.
`, m.settings.targets, m.duration, m.heaps, m.late, format.Duration(m.latest), m.serve.cpu/m.duration.Seconds(),
		format.Bytes(m.serve.rss), page.Platform())
	scrapes := float64(m.heaps + m.cpus)
	out := page.Head("servefleet", "servefleet.md", "Serve with many targets", about) + "\n" +
		page.Columns("", "serve:", "the targets:") +
		page.Row("CPU time", format.Seconds(m.serve.cpu), format.Seconds(m.targets.cpu)) +
		page.Row("peak RSS", format.Bytes(m.serve.rss), format.Bytes(m.targets.rss)) +
		page.Row("CPU time per profile", format.Seconds(m.serve.cpu/scrapes), format.Seconds(m.targets.cpu/scrapes)) +
		page.Row("on disk per profile", format.Bytes(float64(m.disk)/scrapes), "") +
		page.Row("on disk in 24 h", format.Bytes(float64(m.disk)/m.duration.Seconds()*86400), "")
	if p := m.pyroscope; p.profiles > 0 {
		out += fmt.Sprintf(`
## The same load on a Pyroscope

Afterwards serve ran with -from for %v: it fetched from the same targets and forwarded %.0f profiles to `+
			`a Pyroscope on the
same machine, in single-binary mode with -architecture.storage=v2. The Pyroscope's CPU time and memory are from its
/metrics. Its disk is the growth of the folder of its objects until the end of the load, when it has not joined all of
them yet, without its index.

`, m.duration, p.profiles) +
			page.Columns("", "serve by itself:", "the Pyroscope:", "serve before it:") +
			page.Row("CPU time per profile", format.Seconds(m.serve.cpu/scrapes),
				format.Seconds(p.cpu/p.profiles), format.Seconds(m.forwarder.cpu/p.profiles)) +
			page.Row("peak RSS", format.Bytes(m.serve.rss), format.Bytes(p.rss), format.Bytes(m.forwarder.rss)) +
			page.Row("on disk per profile", format.Bytes(float64(m.disk)/scrapes),
				format.Bytes(float64(p.disk)/p.profiles), "")
	}
	_, err := io.WriteString(w, out)
	return err
}
