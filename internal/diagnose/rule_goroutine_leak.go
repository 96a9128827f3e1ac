package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

func init() {
	register(Rule{
		Name:  "goroutine-leak",
		Title: "goroutines wait for ever and hold memory",
		Doc: `Looks for many goroutines that wait in one place, by goroutine profiles: their number grows from one to the
next, or there are a thousand and more and they do not get fewer. What they hold is their stacks, at least 2 KiB each
(stackMin of runtime/stack.go), and the live memory that was allocated by functions of theirs. It is wrong where each serves
a connection that is open.`,
		Remedy: "Give every goroutine an end: a context or a done channel in each select, a buffered channel for a result that nobody may fetch, a close by the sender.",
		Example: `select {
case out <- v:
case <-ctx.Done():
	return
}
result := make(chan T, 1) // the sender never waits`,
		Risk: "Low.",
		Find: findGoroutineLeaks,
	})
}

const (
	manyGoroutines = 1000 // in one place, where they do not grow in number
	someGoroutines = 50   // in one place, where they do
	stackMin       = 2048 // bytes
	mostlyThere    = 0.9  // of as many as there were: goroutines that are served leave
)

// waiting are the goroutines of one place.
type waiting struct {
	Frame
	path   []Frame
	counts []float64 // by profile
}

func findGoroutineLeaks(e *Evidence) []Finding {
	live, sampled := 0.0, len(e.Heaps) > 0
	for i := range e.Sites {
		live += e.Sites[i].Live.Bytes
	}
	var all []Finding
	for _, w := range e.leaks() {
		var held Weight
		for i := range e.Sites {
			if s := &e.Sites[i]; e.holds(w, s) {
				held.add(e.whole(s))
			}
		}
		stacks := w.now() * stackMin
		f := Finding{File: w.File, Line: w.Line, Function: w.Function, Path: w.path, Confidence: Medium}
		f.Source, _ = e.Source.Line(w.File, w.Line)
		f.Title = fmt.Sprintf("%.0f goroutines wait here", w.now())
		f.CPU = Range{0, held.Saves.High / 2}
		f.Evidence = []Figure{{"goroutines", w.now(), "count"}, {"their stacks, at least", stacks, "bytes"}}
		if sampled {
			share := clamp((held.Live.Bytes + stacks) / max(live+stacks, 1))
			f.Memory = Range{share / 2, share}
			f.Evidence = append(f.Evidence, Figure{"live memory allocated by them and their starters", held.Live.Bytes, "bytes"})
		} else {
			f.share = w.now() / e.goroutines() // what they are of the live heap is not known
			f.Evidence = append(f.Evidence, Figure{"of all goroutines", f.share, "fraction"})
		}
		switch {
		case w.grows():
			f.Confidence = High
		case len(w.counts) > 1:
			f.Confidence, f.Memory.Low = Low, 0 // as many as before: they may serve connections
		}
		if len(w.counts) > 1 {
			f.Evidence = append(f.Evidence, Figure{"goroutines at first", w.counts[0], "count"})
		}
		if f.worthNaming() {
			all = append(all, f)
		}
	}
	return all
}

// leaks returns the places where goroutines pile up.
func (e *Evidence) leaks() []*waiting {
	return slices.DeleteFunc(e.waiting(), func(w *waiting) bool {
		if w.grows() {
			return w.now() < someGoroutines
		}
		return w.now() < manyGoroutines || w.now() < mostlyThere*slices.Max(w.counts)
	})
}

func (w *waiting) now() float64 { return w.counts[len(w.counts)-1] }

func (w *waiting) grows() bool {
	return len(w.counts) > 1 && slices.IsSorted(w.counts) && w.now() >= w.counts[0]*1.2
}

// goroutines returns how many there are in all.
func (e *Evidence) goroutines() float64 {
	last := e.Goroutines[len(e.Goroutines)-1]
	column, _ := last.Column("goroutine")
	return float64(last.Total(column))
}

// waiting groups the goroutines that are blocked by the line of the program's
// own that they wait in.
func (e *Evidence) waiting() []*waiting {
	var all []*waiting
	for i, p := range e.Goroutines {
		column, ok := p.Column("goroutine")
		if !ok {
			continue
		}
		for row, stack := range p.Stacks {
			path := e.frames(stack)
			at, ok := e.blocked(path)
			if !ok {
				continue
			}
			j := slices.IndexFunc(all, func(w *waiting) bool { return w.Frame == at })
			if j < 0 {
				all = append(all, &waiting{Frame: at, path: slices.DeleteFunc(path, func(f Frame) bool { return ofRuntime(f.Function) }),
					counts: make([]float64, len(e.Goroutines))})
				j = len(all) - 1
			}
			all[j].counts[i] += float64(p.Values[column][row])
		}
	}
	slices.SortFunc(all, func(a, b *waiting) int { return cmp.Compare(b.counts[len(b.counts)-1], a.counts[len(a.counts)-1]) })
	return all
}

// blocked returns the innermost frame outside the runtime and libraries of a
// goroutine that is parked.
func (e *Evidence) blocked(path []Frame) (Frame, bool) {
	if len(path) == 0 || !strings.HasPrefix(path[0].Function, "runtime.gopark") {
		return Frame{}, false
	}
	for _, f := range path {
		if e.own(f) {
			return f, true
		}
	}
	return Frame{}, false
}

// holds says whether what a site allocates is held by the goroutines: it was
// allocated below the function that they began in, or by the function that
// started them: by its go statement, or as its closure, main.serve.func1.
func (e *Evidence) holds(w *waiting, s *Site) bool {
	if len(w.path) == 0 {
		return false
	}
	root := w.path[len(w.path)-1].Function
	starter, _, _ := strings.Cut(root, ".func")
	if s.Function == root || s.Function == starter || len(s.Path) > 0 && s.Path[len(s.Path)-1].Function == root {
		return true
	}
	return slices.ContainsFunc(e.Source.Within(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.Go && a.Callee == root
	})
}
