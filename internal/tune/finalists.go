package tune

import (
	"cmp"
	"slices"
	"strings"
)

// families in the order in which modes are joined.
var families = []family{release, collector, arenas, pacing}

// finalists returns what is worth a second experiment. If a mode is proven, that
// is the best one and what it can be refined to. Otherwise it is what looks best
// so far, of each family one and two in all: the fewer modes, the more runs of
// each.
func finalists(tried []Tried, all []candidate) []candidate {
	if chosen := best(tried, all, "", adopted); chosen != "" {
		more := append(refine(tried, all, chosen), lesser(tried, all)...)
		if len(more) == 0 {
			return nil
		}
		return append([]candidate{{mode: chosen, why: "the best so far"}}, more...)
	}
	var hopeful []Tried
	for _, f := range families {
		if m := best(tried, all, f, promising); m != "" {
			hopeful = append(hopeful, tried[slices.IndexFunc(tried, func(t Tried) bool { return t.Mode == m })])
		}
	}
	slices.SortStableFunc(hopeful, func(a, b Tried) int { return cmp.Compare(saved(b), saved(a)) })
	out := lesser(tried, all)
	for _, t := range hopeful[:min(2-len(out), len(hopeful))] {
		out = append(out, candidate{mode: t.Mode, why: t.Why})
	}
	return out
}

// lesser returns, where no pacing is left that is worth going on with, the half
// way to the best of those that nothing but the memory allowed ruled out: half as
// far may fit.
func lesser(tried []Tried, all []candidate) []candidate {
	if best(tried, all, pacing, promising) != "" {
		return nil
	}
	m := best(tried, all, pacing, func(t Tried) bool { return t.over })
	for _, c := range all {
		if c.mode == m && c.half != "" {
			return []candidate{{mode: c.half, family: c.family, why: "half as far as " + m + ", which takes too much memory"}}
		}
	}
	return nil
}

// refine returns what is worth trying beside the chosen mode: the best of each
// family together, since what two remedies save each they need not save
// together, and half as much memory, since it may do nearly as well.
func refine(tried []Tried, all []candidate, chosen string) []candidate {
	var parts, halves []string
	less := false
	for _, f := range families {
		m := best(tried, all, f, adopted)
		if m == "" {
			continue
		}
		half := all[slices.IndexFunc(all, func(c candidate) bool { return c.mode == m })].half
		parts, halves = append(parts, m), append(halves, cmp.Or(half, m))
		less = less || half != ""
	}
	var more []candidate
	if joined := strings.Join(parts, "+"); len(parts) > 1 {
		more = append(more, candidate{mode: joined, why: "what was adopted, together"})
	}
	if joined := strings.Join(halves, "+"); less && joined != chosen {
		more = append(more, candidate{mode: joined, why: "half as much more memory"})
	}
	return more
}
