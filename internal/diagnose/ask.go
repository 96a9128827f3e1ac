package diagnose

import (
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// At returns a finding at a site with all that the site itself says filled in:
// place, path, source line, escape reason, ceilings.
func (e *Evidence) At(s *Site) Finding {
	f := Finding{File: s.File, Line: s.Line, Function: s.Function, Path: s.Path, CPU: s.CPU, Memory: s.Memory}
	if text, ok := e.Source.Line(s.File, s.Line); ok {
		f.Source = text
	}
	var reasons []string
	for _, x := range e.Source.Escapes(s.File, s.Line) {
		reasons = append(reasons, x.String())
	}
	f.Escape = strings.Join(reasons, "; ")
	return f
}

// Weight is what the evidence says of one stack, or of several.
type Weight struct {
	Alloc, Live Amount
	CPU         float64 // share of CPU time
	// Saves and Memory are the ceilings of the allocations made there.
	Saves, Memory Range
}

// Of returns what the evidence says of a stack that has been profiled. The
// same path has one number in heap profiles and, because these leave out the
// runtime's frames and have other addresses, another in CPU profiles.
func (e *Evidence) Of(stack profile.StackID) Weight {
	if int(stack) >= len(e.weights) {
		return Weight{}
	}
	return e.weights[stack]
}

// Through sums up those of a site's stacks that have, below the site, a
// function for which match is true: what the site allocates by way of
// encoding/json, say. It is asked once per frame.
func (e *Evidence) Through(s *Site, match func(function string) bool) Weight {
	var sum Weight
	for _, stack := range s.stacks {
		for f := range e.Dict.Frames(stack) {
			if e.isAt(f, s.Frame) {
				break
			}
			if match(e.Dict.FunctionName(f.Function)) {
				sum.add(e.Of(stack))
				break
			}
		}
	}
	return sum
}

func (w *Weight) add(v Weight) {
	w.Alloc.add(v.Alloc)
	w.Live.add(v.Live)
	w.CPU += v.CPU
	w.Saves, w.Memory = w.Saves.Plus(v.Saves), w.Memory.Plus(v.Memory)
}

// isAt says whether a frame is the place of a site.
func (e *Evidence) isAt(f profile.Frame, at Frame) bool {
	if int(f.Line.Line) != at.Line {
		return false
	}
	fn := e.Dict.Function(f.Function)
	return fn.Name == at.Function && fn.File == at.File
}

// Removing returns the ceiling of all sites together for which match is true:
// less than the sum of their own where chance is the larger part of each.
func (e *Evidence) Removing(match func(*Site) bool) Range { return e.Sparing(1, match) }

// Sparing is Removing for a cure that leaves a part of what the sites allocate,
// such as one map of the right size for one that grows: it allocates the given
// share of their bytes less, and does without all of their copying.
func (e *Evidence) Sparing(share float64, match func(*Site) bool) Range {
	var all toll
	for i := range e.Sites {
		if s := &e.Sites[i]; match(s) {
			all.add(s.toll)
		}
	}
	all.direct, all.recent, all.live = all.direct*share, all.recent*share, all.live*share
	return e.pool.ceiling(all)
}
