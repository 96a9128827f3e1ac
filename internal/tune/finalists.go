package tune

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// familiesOf returns the families of candidates in the order in which modes are joined.
func familiesOf(all []candidate) []family {
	out := []family{release, collector, arenas, pacing}
	for _, c := range all {
		if !slices.Contains(out, c.family) {
			out = append(out, c.family)
		}
	}
	return out
}

// finalists returns the modes that are worth another experiment. tried begins with the
// modes in all. If a mode is proven, the finalists are that mode and its refinements.
// Otherwise they are the two best modes so far, of different families: with fewer modes,
// each gets more runs. If nothing looks good, they are the undecided modes. No mode gets
// a third experiment.
func finalists(tried []Tried, all []candidate) []candidate {
	first := tried[:len(all)]
	if chosen := best(first, all, "", adopted); chosen != "" {
		more := append(refine(first, all, chosen), lesser(tried, all)...)
		if len(more) == 0 {
			return nil
		}
		return append([]candidate{{mode: chosen, why: "the best so far"}}, more...)
	}
	var hopeful []Tried
	for _, f := range familiesOf(all) {
		if m := best(first, all, f, promisingYet); m != "" {
			hopeful = append(hopeful, tried[slices.IndexFunc(tried, func(t Tried) bool { return t.Mode == m })])
		}
	}
	out := lesser(tried, all)
	if len(hopeful)+len(out) == 0 {
		hopeful = slices.DeleteFunc(slices.Clone(first), func(t Tried) bool {
			return t.again || t.Decision != verdict.Undecided || t.Change[sample.Primary] == 0
		})
	}
	slices.SortStableFunc(hopeful, func(a, b Tried) int { return cmp.Compare(saved(b), saved(a)) })
	for _, t := range hopeful[:min(2-len(out), len(hopeful))] {
		out = append(out, candidate{mode: t.Mode, why: t.Why})
	}
	return out
}

// promisingYet reports whether a mode is promising and had only one experiment.
func promisingYet(t Tried) bool { return !t.again && promising(t) }

// leastPart is the share of a mode's extra memory below which the rest is not worth an
// experiment.
const leastPart = 0.15

// lesser returns a mode with less memory, if no pacing is left that deserves another
// experiment. It is the best of those that were rejected only for their memory, with as
// much memory as fits.
func lesser(tried []Tried, all []candidate) []candidate {
	first := tried[:len(all)]
	if best(first, all, pacing, promising) != "" {
		return nil
	}
	m := best(first, all, pacing, func(t Tried) bool { return t.over != nil })
	for i, c := range all {
		if c.mode != m || c.part == nil {
			continue
		}
		share := min(first[i].over.fits(), 0.8) // above 0.8, the noise of RSS hides the difference
		less := c.part(share)
		had := slices.ContainsFunc(tried, func(t Tried) bool { return t.Mode == less })
		if share >= leastPart && !had {
			return []candidate{{mode: less, family: c.family, why: m + " takes too much memory; this part of it should fit"}}
		}
	}
	return nil
}

// refine returns the modes that are worth trying in addition to the chosen one. The best
// modes of all families are combined, because the savings of two remedies need not add
// up. A mode with half of the extra memory may do nearly as well.
func refine(tried []Tried, all []candidate, chosen string) []candidate {
	var parts, halves []string
	var more []candidate
	less := false
	for _, f := range familiesOf(all) {
		m := best(tried, all, f, adopted)
		if m == "" {
			continue
		}
		half, of := m, all[slices.IndexFunc(all, func(c candidate) bool { return c.mode == m })]
		if of.part != nil {
			half, less = of.part(0.5), true
		}
		for _, mode := range of.smaller {
			more = append(more, candidate{mode: mode, family: f, why: "a smaller upgrade"})
		}
		parts, halves = append(parts, m), append(halves, half)
	}
	if joined := strings.Join(parts, "+"); len(parts) > 1 {
		more = append(more, candidate{mode: joined, why: "all adopted modes combined"})
	}
	if joined := strings.Join(halves, "+"); less && joined != chosen {
		more = append(more, candidate{mode: joined, why: "half of the extra memory"})
	}
	return more
}
