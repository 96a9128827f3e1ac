package load

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Timeout is how long a request may take before it counts as an error.
const Timeout = 10 * time.Second

// maxWorkers bounds the requests under way, each of which has a connection. A
// server that is so far behind is no longer measured, but judged by the
// timeouts; latencies still count from when a request was due.
const maxWorkers = 10_000

// Border is called when a stretch of a measured phase begins and when it ends.
// It runs beside the load and should be quick.
type Border func(phase string, begins bool)

// hit is the outcome of one request. Times are since the schedule's origin.
type hit struct {
	part          int
	due, sent, at time.Duration // when it was to be sent, was sent, was answered
	failed        bool
}

// Run loads the server at a rate, in requests per second, and returns the figures of
// each phase. When ctx ends, it returns its error and the figures until then; border
// is not called for a stretch that is so cut short. border may be nil.
func Run(ctx context.Context, client *Client, plan Plan, rate float64, border Border) ([]Phase, error) {
	return client.run(ctx, plan.segments(), rate, border)
}

func (c *Client) run(ctx context.Context, segments []segment, rate float64, border Border) ([]Phase, error) {
	if !(rate > 0) || rate > MaxRate {
		return nil, fmt.Errorf("a load of %g requests per second; give a rate above 0, at most %d", rate, MaxRate)
	}
	s := newSchedule(segments, rate)
	if s.total == 0 {
		return nil, fmt.Errorf("at %g requests per second not one request is due in the whole load; give a higher rate or a longer duration", rate)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	attacker := vegeta.NewAttacker(vegeta.Client(c.http(ctx)), vegeta.MaxWorkers(maxWorkers),
		vegeta.MaxBody(keptOfBody))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	results := attacker.Attack(vegeta.NewStaticTargeter(c.targets...), s, 0, "")

	watched := make(chan []window, 1)
	go func() { watched <- s.watch(ctx, border) }()
	hits := make([]hit, 0, s.total)
	first := map[string]string{} // error of each phase
	for r := range results {
		// Under way when the load was cut short: not an error of the server.
		if ctx.Err() != nil {
			continue
		}
		due, part := s.due(r.Seq)
		sent := r.Timestamp.Sub(s.origin)
		h := hit{part: part, due: due, sent: sent, at: sent + r.Latency, failed: r.Error != ""}
		hits = append(hits, h)
		if phase := s.parts[part].phase; h.failed && first[phase] == "" {
			first[phase] = describe(r)
		}
	}
	windows := <-watched
	if ctx.Err() != nil {
		hits = withoutEnd(hits)
	}
	// vegeta began later than the schedule. Pace knows by how much only at the end.
	for i := range hits {
		hits[i].due += time.Duration(s.lag.Load())
	}
	return s.phases(hits, windows, first), context.Cause(ctx)
}

// withoutEnd leaves out requests that failed after the last answer: so requests fail when
// the server ends with the load.
func withoutEnd(hits []hit) []hit {
	var last time.Duration
	for _, h := range hits {
		if !h.failed {
			last = max(last, h.at)
		}
	}
	return slices.DeleteFunc(hits, func(h hit) bool { return h.failed && h.at > last })
}

// MaxRate is far beyond the reach of one machine.
const MaxRate = 1_000_000

// window is when border was called for the beginning and the end of a part, since the
// schedule's origin.
type window struct{ begin, end time.Duration }

// watch calls border at the borders of the measured parts and returns when it
// was called, or when ctx ended.
func (s *schedule) watch(ctx context.Context, border Border) []window {
	windows := make([]window, len(s.parts))
	select {
	case <-s.start:
	case <-ctx.Done():
		return windows
	}
	began := s.origin.Add(time.Duration(s.lag.Load()))
	at := func(when time.Duration, phase string, begins bool) time.Duration {
		timer := time.NewTimer(time.Until(began.Add(when)))
		defer timer.Stop()
		select {
		case <-timer.C:
			if border != nil {
				border(phase, begins)
			}
		case <-ctx.Done():
		}
		return time.Since(s.origin)
	}
	for i, p := range s.parts {
		if p.phase != "" {
			windows[i].begin = at(p.begin, p.phase, true)
			windows[i].end = at(p.begin+p.length, p.phase, false)
		}
	}
	return windows
}

// phases sorts the hits into phases.
func (s *schedule) phases(hits []hit, windows []window, firstErrors map[string]string) []Phase {
	var all []Phase
	index := func(name string) int {
		return slices.IndexFunc(all, func(p Phase) bool { return p.Name == name })
	}
	for i, p := range s.parts {
		if p.phase == "" {
			continue
		}
		k := index(p.phase)
		if k < 0 {
			k = len(all)
			all = append(all, Phase{Name: p.phase, FirstError: firstErrors[p.phase]})
		}
		all[k].Length += windows[i].end - windows[i].begin
		all[k].closing += p.to
	}
	for _, h := range hits {
		if k := index(s.parts[h.part].phase); k >= 0 {
			all[k].add(h)
		}
		for i, w := range windows {
			if s.parts[i].phase != "" && h.at >= w.begin && h.at < w.end {
				all[index(s.parts[i].phase)].answered(h)
			}
		}
	}
	for i := range all {
		slices.Sort(all[i].latencies)
		slices.Sort(all[i].late)
	}
	return all
}

// rank returns the q-quantile of sorted values by nearest rank.
func rank(sorted []time.Duration, q float64) time.Duration {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
