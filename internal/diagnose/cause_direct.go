package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

// direct is what a line allocates itself.
type direct struct {
	Weight
	byKind map[source.Kind]Weight
}

// hints are the runtime's functions by what the compiler calls them for
// (runtime/string.go, slice.go, iface.go, map*.go, malloc.go). Only the first
// below the line counts.
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

func (d *direct) add(w Weight, below []string) {
	d.Weight.add(w)
	if len(below) == 0 {
		return
	}
	for _, h := range hints {
		if strings.HasPrefix(below[0], h.prefix) {
			sum := d.byKind[h.kind]
			sum.add(w)
			d.byKind[h.kind] = sum
			return
		}
	}
}

// explainDirect divides what a line allocates itself among the expressions that
// can allocate: in the ratio of the CPU time in the runtime's functions for
// each, where that was sampled, and evenly otherwise.
func (e *Evidence) explainDirect(s *Site, d direct, calls bool) []cause {
	found := e.candidates(s)
	for _, h := range hints { // no source, or something that is not seen in it: the runtime's word
		w, sampled := d.byKind[h.kind]
		known := slices.ContainsFunc(found, func(a source.Allocation) bool { return group(a.Kind) == group(h.kind) })
		if sampled && !known && (w.Saves.High >= worthALook || len(found) == 0) {
			found = append(found, source.Allocation{Kind: h.kind})
		}
	}
	if len(found) == 0 {
		if d.Weight == (Weight{}) || calls && d.Saves.High < worthALook && d.Memory.High < worthALook {
			return nil
		}
		return []cause{{Weight: d.Weight, site: s, rule: e.ruleFor(s, source.Allocation{Kind: source.New}, d.Weight), sure: Low}}
	}
	parts := make([]float64, len(found))
	total := 0.0
	for i, a := range found {
		same := 0
		for _, b := range found {
			if group(b.Kind) == group(a.Kind) {
				same++
			}
		}
		for kind, w := range d.byKind {
			if group(kind) == group(a.Kind) {
				parts[i] += (w.Saves.High + w.Alloc.Bytes*1e-15) / float64(same)
			}
		}
		total += parts[i]
	}
	var all []cause
	for i, a := range found {
		part, sure := 1/float64(len(found)), Medium
		if total > 0 {
			part = parts[i] / total
		}
		if len(found) == 1 || total > 0 && part > 0 && group(a.Kind) != group(source.New) {
			sure = High
		}
		if part == 0 {
			continue
		}
		w := d.Weight.times(part)
		all = append(all, cause{Weight: w, site: s, rule: e.ruleFor(s, a, w), what: a, sure: sure})
	}
	return e.merge(all)
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

func (w Weight) times(part float64) Weight {
	return Weight{
		Alloc: Amount{w.Alloc.Bytes * part, w.Alloc.Objects * part},
		Live:  Amount{w.Live.Bytes * part, w.Live.Objects * part},
		CPU:   w.CPU * part, Saves: w.Saves.Times(part, part), Memory: w.Memory.Times(part, part),
	}
}

// merge adds up a line's causes of one rule, in the name of the largest.
func (e *Evidence) merge(all []cause) []cause {
	slices.SortStableFunc(all, func(a, b cause) int { return cmp.Compare(e.size(b.Weight), e.size(a.Weight)) })
	var merged []cause
	for _, c := range all {
		i := slices.IndexFunc(merged, func(m cause) bool { return m.rule == c.rule })
		if i < 0 {
			merged = append(merged, c)
			continue
		}
		merged[i].add(c.Weight)
		if merged[i].callee == "" {
			merged[i].callee = c.callee
		}
	}
	return merged
}

// candidates returns what can allocate in a site's line by its syntax, as far
// as the compiler does not say that it stays off the heap. Its word is not final
// for slices and strings: since Go 1.25 those whose size is not constant are on
// the stack only up to 32 bytes, although they do not escape.
func (e *Evidence) candidates(s *Site) []source.Allocation {
	escapes := e.Source.Escapes(s.File, s.Line)
	var found []source.Allocation
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		switch a.Kind {
		case source.Call, source.Slicing:
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

// mentions says whether one of the values that escape can be the allocation: it
// is in the same column, or the compiler names it differently, as it does in
// what was inlined.
func mentions(escapes []source.Escape, a source.Allocation) bool {
	return slices.ContainsFunc(escapes, func(x source.Escape) bool {
		return a.Column <= x.Column && x.Column <= a.Column+len(a.Text)
	}) || a.Kind != source.Boxing && len(escapes) > 0
}
