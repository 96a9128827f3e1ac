package trace

import (
	"strings"

	"golang.org/x/exp/trace"
)

// maxHalts is how many of the last stops are kept, to find those during one stay in the
// state runnable.
const maxHalts = 1 << 12

// halt is a stop of the world by another than the collector. to is the largest time while
// the stop lasts.
type halt struct {
	cause    int32
	from, to int64
}

// halts are the last stops, the oldest first.
type halts []halt

// begin notes a stop.
func (h *halts) begin(cause int32, now int64) {
	if len(*h) >= maxHalts {
		*h = append((*h)[:0], (*h)[maxHalts/2:]...)
	}
	*h = append(*h, halt{cause: cause, from: now, to: 1<<63 - 1})
}

func (h halts) end(now int64) {
	if n := len(h); n > 0 {
		h[n-1].to = min(h[n-1].to, now)
	}
}

// charge makes joined bursts pay for the stops between two points in time, and returns the
// duration of these stops.
func (h halts) charge(b *burst, from, to int64) (sum int64) {
	for i := len(h) - 1; i >= 0 && h[i].to > from; i-- {
		if overlap := min(h[i].to, to) - max(h[i].from, from); overlap > 0 {
			b.pay(h[i].cause, overlap)
			sum += overlap
		}
	}
	return sum
}

// tracing are the stops that starting and ending the trace make. No program has them
// without a trace.
var tracing = map[string]bool{"start trace": true, "stop trace": true}

// beginStop begins a stop of the world.
func (m *machine) beginStop(e trace.Event, reason string, began int64) {
	g := m.goroutine(e.Range().Scope.Goroutine())
	m.settle(g)
	m.stopping = stopped
	if strings.HasPrefix(reason, "GC ") {
		m.stopping = paused
	}
	g.stops = m.stopping
	m.pause = Pause{Start: max(began, 0), Reason: name(reason), GC: m.stopping == paused}
	m.stopCause = -1
	if m.stopping == stopped && !tracing[reason] {
		at := m.sites.of(e.Stack())
		m.pause.At = &at.at
		m.stopCause = m.causes.stop(at)
		if c := &m.causes.all[m.stopCause]; c.reason == "" {
			c.reason = m.pause.Reason // a goroutine profile has two, of which the first one counts
		}
		m.halts.begin(m.stopCause, m.now)
	}
	m.runs(g)
}

// endStop ends the stop of the world under way.
func (m *machine) endStop(g *goroutine) {
	m.settle(g)
	g.stops, m.stopping = none, none
	m.pause.Duration = m.now - m.pause.Start
	if m.stopCause >= 0 {
		m.causes.all[m.stopCause].add(m.pause.Duration)
		m.halts.end(m.now)
	}
	m.endPause()
	m.runs(g)
}
