package fix

import (
	"slices"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// guards is the number of benchmarks in which a change is measured although their profiles do not
// have the changed function: one of them may run it for too short a time to be sampled.
const guards = 2

// A selection says which benchmarks of a comparison are measured with which change.
type selection struct {
	among   []sample.Key            // the most important first; nil is all
	reached map[string][]sample.Key // those that run the changed function, by mode
	runs    map[string][]sample.Key // they and the guards
}

// choose selects the benchmarks for changes. The best one for each change comes first, then the
// second for each, and so on. A change that no known benchmark runs has all of them.
func choose(recorded []sample.Key, changes []*Change) *selection {
	s := &selection{reached: map[string][]sample.Key{}, runs: map[string][]sample.Key{}}
	if len(recorded) == 0 {
		return s
	}
	var lists [][]sample.Key
	for _, c := range changes {
		reached := c.Benchmarks
		if len(reached) == 0 {
			reached = recorded
		}
		s.reached[c.Mode] = reached
		lists = append(lists, reached)
	}
	s.among = interleave(lists)
	// A benchmark that runs for another change is the cheapest guard.
	for _, c := range changes {
		others := slices.DeleteFunc(interleave([][]sample.Key{slices.Concat(s.among, recorded)}), func(k sample.Key) bool {
			return slices.Contains(s.reached[c.Mode], k)
		})
		s.runs[c.Mode] = slices.Concat(s.reached[c.Mode], others[:min(guards, len(others))])
		c.Part = float64(len(s.runs[c.Mode])) / float64(len(recorded))
		s.among = interleave([][]sample.Key{slices.Concat(s.among, s.runs[c.Mode])})
	}
	return s
}

// interleave returns each key of lists once: the first of each list, the second of each, and so on.
func interleave(lists [][]sample.Key) (all []sample.Key) {
	for i := 0; ; i++ {
		more := false
		for _, l := range lists {
			if i < len(l) && !slices.Contains(all, l[i]) {
				all = append(all, l[i])
			}
			more = more || i+1 < len(l)
		}
		if !more {
			return all
		}
	}
}

// skips reports whether a benchmark is not measured with a change.
func (s *selection) skips(mode string, k sample.Key) bool {
	return s.among != nil && !slices.Contains(s.runs[mode], k)
}

// open counts the questions about CPU that keep a comparison going. A guard keeps none going:
// there is nothing to prove in it.
func (s *selection) open(effects []verdict.Effect) (n int) {
	for _, e := range effects {
		asked := s.among == nil || slices.Contains(s.reached[e.Mode], e.Key)
		if asked && e.Verdict == verdict.Inconclusive && e.Metric == cpu {
			n++
		}
	}
	return n
}

// together returns the benchmarks that prove changes as one: for each, those in which it is better,
// then the others that reach it.
func together(recorded []sample.Key, changes []*Change) []sample.Key {
	var better, reached [][]sample.Key
	for _, c := range changes {
		all := c.Benchmarks
		if len(all) == 0 {
			all = recorded
		}
		reached = append(reached, all)
		better = append(better, slices.DeleteFunc(slices.Clone(all), func(k sample.Key) bool {
			return !slices.ContainsFunc(c.Gain.Better, func(e Effect) bool { return e.Benchmark == k.String() })
		}))
	}
	return interleave([][]sample.Key{slices.Concat(interleave(better), interleave(reached))})
}
