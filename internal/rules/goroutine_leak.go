package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var goroutineLeak = &finding.Rule{
	Name:  "goroutine-leak",
	Title: "goroutines wait for ever and hold memory",
	Doc: `Finds goroutines whose number grows from one goroutine profile to the next, or is a thousand or more in one place
and does not fall, or that the goroutine leak profile of Go 1.27 counts. What they wait for decides: for a lock, the rule
names the return that leaves it locked, or who waits while holding it; for a database connection, the rows or transaction
that stay open; for a WaitGroup or a channel, the path that misses Done, close or the receive. Goroutines of a library
lead to the line that starts them: by the library's source, the heap profile, and the creators in a text dump. Each holds
its stack, at least 2 KiB (stackMin of runtime/stack.go), and the live memory that its functions allocated. A hundred in
system calls or in C are reported whether they grow or not: each occupies a thread. Connections
of clients, requests that wait with an end, and idle connections of a client are not reported. It is wrong if the
goroutines are work that only arrives faster than it is done.`,
	Remedy: "Give every goroutine an end: find out what it waits for, and who should end that.",
	Example: `select {
case out <- v:
case <-ctx.Done():
	return
}`,
	Risk: "Low.",
	Find: findGoroutineLeaks,
}

// stackMin is the size in bytes of a goroutine's smallest stack (runtime/stack.go).
const stackMin = 2048

// findGoroutineLeaks reports goroutines that pile up, at the line responsible.
func findGoroutineLeaks(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	live, sampled := 0.0, len(e.Heaps) > 0
	for i := range e.Sites {
		live += e.Sites[i].Live.Bytes
	}
	lost := withoutHolder(e)
	var all []finding.Finding
	for _, l := range leak.Find(e) {

		// A goroutine that waits for ever keeps its stack, and the heap that it and its
		// starter have allocated.
		p := l.Places[0]
		var held evidence.Weight
		for i := range e.Sites {
			if s := &e.Sites[i]; slices.ContainsFunc(l.Places, func(p *evidence.WaitingPlace) bool { return leak.Holds(e, p, s) }) || s.Growth.Grows() && passes(s, l.At) {
				held.Add(s.Sum)
			}
		}
		stacks := 0.0
		for _, p := range l.Places {
			stacks += p.Now() * stackMin
		}
		f := finding.Finding{File: l.At.File, Line: l.At.Line, Function: l.At.Function, Path: l.Path, Confidence: l.Confidence, Change: l.Change,
			Title: l.Title, Remedy: l.Remedy, Example: l.Example, Exact: true, Grows: p.Grows}
		f.Source, _ = e.Source.Line(f.File, f.Line)
		f.CPU = evidence.Range{High: held.Saves.High / 2}
		f.Evidence = []finding.Figure{{Name: "goroutines", Value: p.Now(), Unit: "count"}}
		if len(p.Counts) > 1 {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "goroutines at first", Value: p.Counts[0], Unit: "count"})
		}
		if p.Grows {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "growth", Value: p.Trend.PerHour / 60, Unit: "per minute"}, finding.Figure{Name: "at least", Value: p.Trend.Low / 60, Unit: "per minute"})
		}
		for _, o := range l.Places[1:] {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "goroutines in " + profile.ShortName(o.Function), Value: o.Now(), Unit: "count"})
		}
		f.Evidence = append(f.Evidence, finding.Figure{Name: "their stacks, at least", Value: stacks, Unit: "bytes"})

		// Without a heap profile, the share of all goroutines ranks the finding.
		if sampled {
			share := evidence.Clamp((held.Live.Bytes + stacks) / max(live+stacks, 1))
			f.Memory = evidence.Range{Low: share / 2, High: share}
			if p.Grows {
				f.Memory.High = evidence.Clamp(share + mayHold(p, lost)/max(live+stacks, 1))
			}
			f.Evidence = append(f.Evidence, finding.Figure{Name: "live memory allocated by " +
				"them and their starters", Value: held.Live.Bytes, Unit: "bytes"})
		} else {
			f.Share = p.Now() / max(e.Goroutines.Last, p.Now())
			f.Evidence = append(f.Evidence, finding.Figure{Name: "of all goroutines", Value: f.Share, Unit: "fraction"})
		}
		if p.Leaked > 0 {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "leaked, by the goroutine leak profile", Value: p.Leaked, Unit: "count"})
		}
		if len(p.Counts) > 1 && !p.Grows && p.Leaked == 0 {
			f.Memory.Low = 0 // their number is stable, so they may serve connections
		}
		if f.Significant() || p.Grows || p.Leaked > 0 || p.Reason() == evidence.SystemCall {
			all = append(all, f)
		}
	}
	return all
}

// withoutHolder returns the sites whose memory grows, and whose holder is not known.
func withoutHolder(e *evidence.Evidence) (all []*evidence.Site) {
	for _, g := range growers(e) {
		if g.unknown() {
			all = append(all, g.held...)
		}
	}
	return all
}

// mayHold returns the live bytes of the sites that goroutines of a library may hold, because
// they were allocated through its package.
func mayHold(p *evidence.WaitingPlace, lost []*evidence.Site) (bytes float64) {
	for _, s := range lost {
		if p.Library && leak.Through(p, s) {
			bytes += s.Live.Bytes
		}
	}
	return bytes
}

// passes reports whether the path of a site leads through a line.
func passes(s *evidence.Site, at evidence.Frame) bool {
	same := func(f evidence.Frame) bool { return f.File == at.File && f.Line == at.Line }
	return at.File != "" && (same(s.Frame) || slices.ContainsFunc(s.Path, same))
}
