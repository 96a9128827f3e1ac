package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

func init() {
	register(Rule{
		Name:  "goroutine-leak",
		Title: "goroutines wait for ever and hold memory",
		Doc: `Looks for many goroutines that wait in one place, by goroutine profiles: their number grows from one to the
next, or where there is one, there are a thousand and more. What they hold is their stacks, at least 2 KiB each
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
	manyGoroutines = 1000 // in one place, where growth is not known
	someGoroutines = 50   // in one place, where it is
	stackMin       = 2048 // bytes
)

// waiting are the goroutines of one place.
type waiting struct {
	Frame
	path   []Frame
	counts []float64 // by profile
}

func findGoroutineLeaks(e *Evidence) []Finding {
	var all []Finding
	for _, w := range e.waiting() {
		now := w.counts[len(w.counts)-1]
		grew := len(w.counts) > 1 && slices.IsSorted(w.counts) && now >= w.counts[0]*1.2
		if now < someGoroutines || !grew && (len(w.counts) > 1 || now < manyGoroutines) {
			continue
		}
		held := e.heldBy(w)
		var live float64
		for i := range e.Sites {
			live += e.Sites[i].Live.Bytes
		}
		stacks := now * stackMin
		share := (held.Live.Bytes + stacks) / max(live+stacks, 1)
		f := Finding{File: w.File, Line: w.Line, Function: w.Function, Path: w.path}
		f.Source, _ = e.Source.Line(w.File, w.Line)
		f.Title = fmt.Sprintf("%.0f goroutines wait here", now)
		f.Memory = Range{share / 2, clamp(share)}
		f.CPU = Range{0, held.Saves.High / 2}
		f.Confidence = Medium
		f.Evidence = []Figure{{"goroutines", now, "count"}, {"their stacks, at least", stacks, "bytes"}, {"live memory allocated by them", held.Live.Bytes, "bytes"}}
		if grew {
			f.Confidence = High
			f.Evidence = append(f.Evidence, Figure{"goroutines at first", w.counts[0], "count"})
		}
		if f.Ceiling() >= worthALook {
			all = append(all, f)
		}
	}
	return all
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
		own, known := e.Source.Owns(f.Function, f.File)
		if !known {
			own = strings.Contains(first(profile.PackageOf(f.Function)), ".") || profile.PackageOf(f.Function) == "main"
		}
		if own && !ofRuntime(f.Function) {
			return f, true
		}
	}
	return Frame{}, false
}

// heldBy sums up what was allocated below the function that the goroutines
// began in, or by the function that started them as far as closures tell:
// main.serve.func1 is of main.serve.
func (e *Evidence) heldBy(w *waiting) Weight {
	if len(w.path) == 0 {
		return Weight{}
	}
	root := w.path[len(w.path)-1].Function
	starter := root
	if i := strings.Index(root, ".func"); i > 0 {
		starter = root[:i]
	}
	var sum Weight
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Function == root || s.Function == starter || len(s.Path) > 0 && s.Path[len(s.Path)-1].Function == root {
			sum.add(e.whole(s))
		}
	}
	return sum
}
