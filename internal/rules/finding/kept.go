package finding

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/source"
)

// MinHeld is the smallest share of the live heap at which retained memory is worth a finding.
const MinHeld = 0.05

// MinRetained is the smallest size in bytes that is worth a finding if there is no other
// evidence than size or growth. Every program has tables of a few megabytes, and pools that
// fill.
const MinRetained = 4 << 20

// Keeper returns the expression that most likely keeps a site's memory in a map,
// slice, container or channel that outlives its function: one that the site's
// object flows to, in a function on its path or one that it is handed to, the
// innermost first; otherwise one in a function on the path or called by one, or in
// functions that the line calls. There, those whose own memory is alive go first, and
// those that only grow before those that also shrink: a map that a call only adds to once
// has less. Near says that it is a guess, for nothing is known to flow there.
func Keeper(e *evidence.Evidence, s *evidence.Site) (file string, a source.Allocation, near bool) {
	if a = Receiver(e, s); a.Kind == "" {
		if a = appended(e, s); a.Kind != "" {
			a.File = s.File
		}
	}
	if _, b := Followed(e, s, false); a.Kind == "" || b.Kind != "" && !b.Shrinks && live(e, b) > 2*live(e, a) {
		a = b
	}
	if near = a.Kind == ""; near {
		a = nearest(e, s)
	}
	if to := passedOn(e, a); to.Kind != "" {
		a = to
	}
	return a.File, a, near
}

// passedOn returns the container into which the receiver of a channel puts the values, if it
// keeps them.
func passedOn(e *evidence.Evidence, sent source.Allocation) source.Allocation {
	if !IsSend(sent) || !sent.Shrinks {
		return source.Allocation{}
	}
	for _, a := range e.Source.Storing(sent.Taken) {
		keeps := Grows(a, false) || a.Outlives && (a.Popped.Line > 0 || a.Emptied.Line > 0)
		if keeps && !IsSend(a) {
			return a
		}
	}
	return source.Allocation{}
}

// IsSend reports whether an expression sends to a channel.
func IsSend(a source.Allocation) bool {
	return a.Kind == source.Keep && strings.Contains(a.Text, " <- ")
}

// nearest returns a container near a site: in a function on its path, or in one that its line calls.
func nearest(e *evidence.Evidence, s *evidence.Site) source.Allocation {
	var first source.Allocation
	for _, shrinks := range []bool{false, true} {
		for _, f := range s.Callers() {
			a := growing(e, f, e.Source.Within(f.File, f.Line), shrinks, "")
			if !mayHold(e, s, a) {
				continue
			}
			if a.Kind != "" && lives(e, a) {
				return a
			}
			if first.Kind == "" {
				first = a
			}
		}
	}
	if first.Kind != "" {
		return first
	}
	for _, a := range Reach(e, s.File, s.Line) {
		if Grows(a, false) {
			return a
		}
	}
	return source.Allocation{}
}

// appended returns the append of a loop that makes a local slice grow, if a site's memory is the
// slice's array and nothing is taken from it: it stays as long as the loop runs.
func appended(e *evidence.Evidence, s *evidence.Site) source.Allocation {
	below := 0.0
	for _, c := range s.Below {
		below = max(below, c.Alloc.Bytes)
	}
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if a.Kind == source.Append && a.InLoop && !a.Outlives && !a.Shrinks && below < s.Alloc.Bytes/2 {
			return a
		}
	}
	return source.Allocation{}
}

// LoopKeeper returns the slice to which a loop appends a site's object or one that refers to
// it. The slice is a local variable, so it keeps the object as long as the loop runs.
func LoopKeeper(e *evidence.Evidence, s *evidence.Site) (file string, a source.Allocation) {
	for _, f := range s.Callers() {
		for _, a := range flowing(e, f) {
			if a.Kind == source.Append && a.InLoop && !a.Numbers && a.Line != f.Line {
				return f.File, a
			}
		}
	}
	return "", source.Allocation{}
}

// Deeper returns a container that nothing is taken from and whose own memory grows, in the
// functions that are called with a site's object, or with a variable that it flows to. It
// returns the known one if there is none.
func Deeper(e *evidence.Evidence, s *evidence.Site, file string, known source.Allocation) (string, source.Allocation) {
	for _, f := range s.Callers() {
		for _, call := range flowing(e, f) {
			if call.Kind != source.Call {
				continue
			}
			for _, a := range Reach(e, f.File, call.Line) {
				if Grows(a, false) && GrowsItself(e, a) {
					return a.File, a
				}
			}
		}
	}
	return file, known
}

// Followed returns the container that a site's object flows to by the calls of its path, from
// one function to the next, or the channel. Containers that nothing is taken from go first, and of
// these the one whose own memory is largest; a slice before a map, which may replace an entry.
func Followed(e *evidence.Evidence, s *evidence.Site, channel bool) (file string, a source.Allocation) {
	return followed(e, s, func(a source.Allocation) bool { return Grows(a, a.Shrinks) && IsSend(a) == channel })
}

// Slot returns the element of a slice that a site's object is stored in, and that keeps it until it
// gets another.
func Slot(e *evidence.Evidence, s *evidence.Site) (file string, a source.Allocation) {
	return followed(e, s, func(a source.Allocation) bool { return a.Slot && a.Outlives })
}

func followed(e *evidence.Evidence, s *evidence.Site, fits func(source.Allocation) bool) (file string, a source.Allocation) {
	for _, methods := range []bool{false, true} { // a buffer keeps its array
		for _, f := range s.Callers() {
			if !e.Owns(f) {
				continue
			}
			var all []source.Allocation
			made := flow.Made{Place: source.Place(s.Frame), Methods: methods}
			for _, at := range e.Flow.Keepers(source.Place(f), made) {
				for _, a := range e.Source.At(at.File, at.Line) {
					if fits(a) && mayHold(e, s, a) {
						all = append(all, a)
					}
				}
			}
			slices.SortStableFunc(all, func(a, b source.Allocation) int {
				return cmp.Or(cmp.Compare(live(e, b), live(e, a)), first(b.Kind == source.Append, a.Kind == source.Append))
			})
			for _, shrinks := range []bool{false, true} {
				if i := slices.IndexFunc(all, func(a source.Allocation) bool { return a.Shrinks == shrinks }); i >= 0 {
					return all[i].File, all[i]
				}
			}
		}
	}
	return "", source.Allocation{}
}

// first compares two properties: the one that holds is greater.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// texts matches maps of texts to numbers, which hold nothing else.
var texts = regexp.MustCompile(`^map\[string\](bool|u?int(8|16|32|64)?|float(32|64)|time\.(Time|Duration)|struct ?\{\})$`)

// mayHold reports whether an expression can hold a site's objects, by its type.
func mayHold(e *evidence.Evidence, s *evidence.Site, a source.Allocation) bool {
	text := false
	made := e.Source.Allocations(s.File, s.Line)
	for _, m := range made {
		switch m.Kind {
		case source.MakeSlice, source.MakeMap, source.MakeChan, source.New, source.Closure, source.Slicing, source.Local:
		default:
			text = true // perhaps
		}
	}
	return text || len(made) == 0 || !texts.MatchString(a.Type)
}

// GrowsItself reports whether the memory that an expression itself allocates grows.
func GrowsItself(e *evidence.Evidence, a source.Allocation) bool {
	return slices.ContainsFunc(e.Sites, func(s evidence.Site) bool {
		return s.Line == a.Line && (s.Staying || s.Growth.Grows()) && e.Source.Local(s.Function, s.File) == e.Source.Local(s.Function, a.File)
	})
}

// Receiver returns the expression to which a site's object flows, by the variables of the
// functions on its path.
func Receiver(e *evidence.Evidence, s *evidence.Site) source.Allocation {
	called := ""
	for _, f := range s.Callers() {
		here := flowing(e, f)
		for _, shrinks := range []bool{false, true} {
			if a := growing(e, f, here, shrinks, called); a.Kind != "" {
				return a
			}
		}
		called = f.Function
	}
	return source.Allocation{}
}

// growing returns the first of a frame's expressions that grows, itself or in the
// function that it calls. The function except is not searched.
func growing(e *evidence.Evidence, f evidence.Frame, all []source.Allocation, shrinks bool, except string) source.Allocation {
	for _, a := range all {
		if Grows(a, shrinks) {
			a.File = f.File
			return a
		}
		if a.Kind != source.Call || a.Callee == "" || a.Callee == except {
			continue
		}
		for _, b := range e.Source.Of(a.Callee) {
			if Grows(b, shrinks) {
				return b
			}
		}
	}
	return source.Allocation{}
}

// flowing returns the expressions of a function in a line, and in lines that use a
// variable that got its value there, directly or not: calls last.
func flowing(e *evidence.Evidence, f evidence.Frame) []source.Allocation {
	within := e.Source.Within(f.File, f.Line)
	reached := map[int]bool{f.Line: true}
	for more := true; more; {
		more = false
		for _, a := range within {
			if reached[a.Value.Line] && !reached[a.Line] {
				reached[a.Line], more = true, true
			}
		}
	}
	var all, calls []source.Allocation
	for _, a := range within {
		switch {
		case a.Numbers && a.Line != f.Line: // a number holds no part of the object
		case a.Line == f.Line && a.Kind == source.Call && isPart(a, within):
			// Its result becomes a part of the object.
		case reached[a.Line] && a.Kind == source.Call:
			calls = append(calls, a)
		case reached[a.Line]:
			all = append(all, a)
		}
	}
	return append(all, calls...)
}

// lives reports whether memory that the expression itself allocated is alive.
func lives(e *evidence.Evidence, a source.Allocation) bool { return live(e, a) > 0 }

// live returns the live bytes that an expression's line itself has allocated.
func live(e *evidence.Evidence, a source.Allocation) (bytes float64) {
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Line == a.Line && e.Source.Local(s.Function, s.File) == e.Source.Local(s.Function, a.File) {
			bytes += s.Live.Bytes
		}
	}
	return bytes
}

// isPart reports whether a call stands after an expression of its line that makes an object.
// Such a call computes a part of the object, and does not receive it.
func isPart(call source.Allocation, all []source.Allocation) bool {
	return slices.ContainsFunc(all, func(a source.Allocation) bool {
		return a.Kind == source.New && a.Line == call.Line && a.Column < call.Column
	})
}

// Grows reports whether an expression adds to something that outlives its function.
func Grows(a source.Allocation, shrinks bool) bool {
	adds := a.Kind == source.MapInsert || a.Kind == source.Keep && !a.Slot || a.Kind == source.Append && !a.Sized
	return adds && a.Outlives && a.Shrinks == shrinks
}

const (
	maxDepth     = 4  // levels of calls that are followed
	maxFunctions = 64 // functions in all
)

// Reach returns the expressions of the functions that a line calls, directly or
// not, the nearest first, as far as source is at hand and calls are not dynamic.
func Reach(e *evidence.Evidence, file string, line int) []source.Allocation {
	var all []source.Allocation
	seen := map[string]bool{}
	here := e.Source.Allocations(file, line)
	for range maxDepth {
		var next []source.Allocation
		for _, a := range here {
			if a.Kind != source.Call || a.Callee == "" || seen[a.Callee] || len(seen) == maxFunctions {
				continue
			}
			seen[a.Callee] = true
			next = append(next, e.Source.Of(a.Callee)...)
		}
		all = append(all, next...)
		here = next
	}
	return all
}

// TakesParts reports whether some of the expressions make parts of a whole.
func TakesParts(all []source.Allocation) bool {
	return slices.ContainsFunc(all, func(a source.Allocation) bool {
		return a.Kind == source.Slicing || a.Kind == source.Call && source.Cuts(a.Callee)
	})
}
