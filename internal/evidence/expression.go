package evidence

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/source/escape"
)

// Call is one stack of a site and its allocations.
type Call struct {
	Stack profile.StackID
	Below []string // functions below the site, the outermost first
	// Foreign is the index in Below of the outermost function of a dependency, and
	// the length of Below where there is none: all further in is not the program's
	// own to change.
	Foreign int
	Weight
}

// Calls returns the stacks of a site, without a profiler's.
func (e *Evidence) Calls(s *Site) []Call {
	var all []Call
	for _, stack := range s.Stacks {
		call := Call{Stack: stack, Weight: e.weights[stack]}
		frames := e.below(s, stack)
		for _, f := range slices.Backward(frames) {
			if call.Foreign == len(call.Below) && !e.Foreign(e.frame(f)) {
				call.Foreign++
			}
			call.Below = append(call.Below, e.dict.FunctionName(f.Function))
		}
		if !slices.ContainsFunc(call.Below, ofProfiler) {
			all = append(all, call)
		}
	}
	return all
}

// Expression is an expression of a site's line with its allocations. Where the
// expression is not known, Allocation is zero.
type Expression struct {
	source.Allocation
	Weight
	Confidence Confidence
}

// hints are the runtime's functions with the syntax that the compiler translates
// to them (runtime/string.go, slice.go, iface.go, map*.go, malloc.go). Only the
// first below the line counts.
var hints = []struct {
	prefix string
	kind   source.Kind
}{
	{"runtime.slicebytetostring", source.BytesToString},
	{"runtime.slicerunetostring", source.BytesToString},
	{"runtime.intstring", source.BytesToString},
	{"runtime.stringtoslice", source.StringToBytes},
	{"runtime.concat", source.Concat},
	{"runtime.growslice", source.Append},
	{"runtime.mapassign", source.MapInsert},
	{"internal/runtime/maps.New", source.MakeMap},
	{"internal/runtime/maps.", source.MapInsert},
	{"runtime.hashGrow", source.MapInsert},
	{"runtime.makemap", source.MakeMap},
	{"runtime.makeslice", source.MakeSlice},
	{"runtime.makechan", source.MakeChan},
	{"runtime.convT", source.Boxing},
	{"runtime.newproc", source.Go},
	{"runtime.deferproc", source.Defer},
	{"runtime.newobject", source.New},
}

// byKind sums calls by the syntax that the runtime's function below the line
// stands for.
func byKind(calls []Call) (all Weight, kinds map[source.Kind]Weight) {
	kinds = map[source.Kind]Weight{}
	for _, c := range calls {
		all.Add(c.Weight)
		if len(c.Below) == 0 {
			continue
		}
		for _, h := range hints {
			if strings.HasPrefix(c.Below[0], h.prefix) {
				sum := kinds[h.kind]
				sum.Add(c.Weight)
				kinds[h.kind] = sum
				break
			}
		}
	}
	return all, kinds
}

// Expressions divides those calls of a site that its line allocates itself among
// the expressions that can allocate: by the CPU time in the runtime's functions
// for each, where that was sampled, and evenly otherwise. If others is set, other
// calls explain the site, and a small rest that no expression explains is dropped.
func (e *Evidence) Expressions(s *Site, calls []Call, others bool) []Expression {
	all, kinds := byKind(calls)
	found := e.allocating(s)
	for _, h := range hints { // no source, or syntax that it does not show
		w, sampled := kinds[h.kind]
		known := slices.ContainsFunc(found, func(a source.Allocation) bool { return group(a.Kind) == group(h.kind) })
		if sampled && !known && (w.Saves.High >= MinSaving || len(found) == 0) {
			found = append(found, source.Allocation{Kind: h.kind})
		}
	}
	if len(found) == 0 {
		if all == (Weight{}) || others && all.Saves.High < MinSaving && all.Memory.High < MinSaving {
			return nil
		}
		return []Expression{{Weight: all, Confidence: Low}}
	}
	parts, total := sampledParts(found, kinds)
	var divided []Expression
	for i, a := range found {
		part, sure := 1/float64(len(found)), Medium
		if total > 0 {
			part = parts[i] / total
		}
		if len(found) == 1 || total > 0 && part > 0 && group(a.Kind) != group(source.New) {
			sure = High
		}
		if part > 0 {
			divided = append(divided, Expression{a, all.times(part), sure})
		}
	}
	return divided
}

// sampledParts returns each expression's part of the samples of its kind, and the
// sum.
func sampledParts(found []source.Allocation, kinds map[source.Kind]Weight) (parts []float64, total float64) {
	parts = make([]float64, len(found))
	for i, a := range found {
		same := 0
		for _, b := range found {
			if group(b.Kind) == group(a.Kind) {
				same++
			}
		}
		for kind, w := range kinds {
			if group(kind) == group(a.Kind) {
				parts[i] += (w.Saves.High + w.Alloc.Bytes*1e-15) / float64(same)
			}
		}
		total += parts[i]
	}
	return parts, total
}

// group returns the kind that the runtime has one function for: it makes
// objects, closures and literals alike.
func group(k source.Kind) source.Kind {
	switch k {
	case source.Closure, source.MethodValue, source.Go:
		return source.New
	}
	return k
}

// allocating returns the expressions of a site's line that can allocate, without
// those that the compiler keeps off the heap. Its escape analysis is not final
// for slices and strings: since Go 1.25 those whose size is not constant are on
// the stack only up to 32 bytes, although they do not escape.
func (e *Evidence) allocating(s *Site) []source.Allocation {
	escapes := e.Source.Escapes(s.File, s.Line)
	var found []source.Allocation
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		switch a.Kind {
		case source.Call, source.Slicing, source.Keep, source.Copy, source.Local:
			continue
		case source.New, source.Closure, source.MethodValue, source.Boxing, source.MakeMap:
			if !e.Source.Compiled(s.File) || mentions(escapes, a) {
				found = append(found, a)
			}
		default:
			found = append(found, a)
		}
	}
	for _, x := range escapes {
		if name, moved := strings.CutPrefix(x.What, "moved to heap: "); moved {
			found = append(found, source.Allocation{Position: x.Position, Kind: source.New, Text: "variable " + name})
		}
	}
	return found
}

// mentions reports whether one of the escaping values can be the allocation: it is
// in the same column, or the compiler names it differently, as it does in inlined
// calls.
func mentions(escapes []escape.Value, a source.Allocation) bool {
	return slices.ContainsFunc(escapes, func(x escape.Value) bool {
		return a.Column <= x.Column && x.Column <= a.Column+len(a.Text)
	}) || a.Kind != source.Boxing && len(escapes) > 0
}
