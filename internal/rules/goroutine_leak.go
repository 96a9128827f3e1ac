package rules

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/source"
)

var goroutineLeak = &Rule{
	Name:  "goroutine-leak",
	Title: "goroutines wait for ever and hold memory",
	Doc: `Finds many goroutines that wait at one place: by goroutine profiles. Their number grows from one profile to the
next, or is a thousand or more and does not fall, or the goroutine leak profile of Go 1.27 counts them. They hold their
stacks, at least 2 KiB each (stackMin of runtime/stack.go), and the live memory that their functions allocated. It is
wrong if each of them serves an open connection.`,
	Remedy: "Give every goroutine an end: a context or a done channel in each select, a buffered channel for a result that nobody may fetch, a close by the sender.",
	Example: `select {
case out <- v:
case <-ctx.Done():
	return
}
result := make(chan T, 1) // the sender never waits`,
	Risk: "Low.",
	Find: findGoroutineLeaks,
}

// stackMin in bytes is the least stack of a goroutine (runtime/stack.go).
const stackMin = 2048

func findGoroutineLeaks(e *evidence.Evidence, _ []Cause) []Finding {
	live, sampled := 0.0, len(e.Heaps) > 0
	for i := range e.Sites {
		live += e.Sites[i].Live.Bytes
	}
	var all []Finding
	for i := range e.Waiting {
		p := &e.Waiting[i]
		if p.Library {
			continue
		}
		var held evidence.Weight
		for i := range e.Sites {
			if s := &e.Sites[i]; holds(e, p, s) {
				held.Add(s.Sum)
			}
		}
		stacks := p.Now() * stackMin
		f := Finding{File: p.File, Line: p.Line, Function: p.Function, Path: p.Path, Confidence: evidence.Medium, exact: true}
		f.Source, _ = e.Source.Line(p.File, p.Line)
		f.Title = format.Count(p.Now()) + " goroutines wait here"
		f.CPU = evidence.Range{High: held.Saves.High / 2}
		f.Evidence = []Figure{{"goroutines", p.Now(), "count"}, {"their stacks, at least", stacks, "bytes"}}
		if sampled {
			share := evidence.Clamp((held.Live.Bytes + stacks) / max(live+stacks, 1))
			f.Memory = evidence.Range{Low: share / 2, High: share}
			f.Evidence = append(f.Evidence, Figure{"live memory allocated by them and their starters", held.Live.Bytes, "bytes"})
		} else {
			f.share = p.Now() / max(e.Goroutines.Last, p.Now()) // their share of the live heap is not known
			f.Evidence = append(f.Evidence, Figure{"of all goroutines", f.share, "fraction"})
		}
		if p.Leaked > 0 {
			f.Title = format.Count(p.Leaked) + " goroutines wait here, and nothing can wake them"
			f.Evidence = append(f.Evidence, Figure{"leaked, by the goroutine leak profile", p.Leaked, "count"})
		}
		switch {
		case p.Grows, p.Leaked > 0:
			f.Confidence = evidence.High
		case len(p.Counts) > 1:
			f.Confidence, f.Memory.Low = evidence.Low, 0 // as many as before: they may serve connections
		}
		if len(p.Counts) > 1 {
			f.Evidence = append(f.Evidence, Figure{"goroutines at first", p.Counts[0], "count"})
		}
		if f.significant() {
			all = append(all, f)
		}
	}
	return all
}

// holds reports whether goroutines hold the memory of a site: it was allocated
// below the function that they began in, or by the function that started them, by
// its go statement or as its closure, main.serve.func1.
func holds(e *evidence.Evidence, p *evidence.WaitingPlace, s *evidence.Site) bool {
	if len(p.Path) == 0 {
		return false
	}
	root := p.Path[len(p.Path)-1].Function
	starter, _, _ := strings.Cut(root, ".func")
	if s.Function == root || s.Function == starter || len(s.Path) > 0 && s.Path[len(s.Path)-1].Function == root {
		return true
	}
	return slices.ContainsFunc(e.Source.Within(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.Go && a.Callee == root
	})
}
