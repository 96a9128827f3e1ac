package versus

import "github.com/heapwright/heapwright/internal/profile"

// Matching returns the share of a profile's column that is in functions which the newer
// profiles have, too: the rest was removed or renamed, or did not run yet. Costs without a
// function of the program's own match.
func Matching(p *profile.Profile, column string, newer []*profile.Profile) float64 {
	t := &tally{names: newNames(), column: column, known: map[*profile.Dict][]lookup{}}
	t.learn(p.Dict)
	for _, n := range newer {
		t.learn(n.Dict)
	}
	there := map[int]bool{runtimeRow: true, standardRow: true}
	for _, n := range newer {
		for id := 1; id < n.Dict.NumFunctions(); id++ {
			row, _ := t.names.of(n.Dict.Function(profile.FunctionID(id)))
			there[row] = true
		}
	}
	if _, ok := p.Column(column); !ok {
		return 0
	}
	var all, matching float64
	t.walk(p, func(frames []frame, v float64) {
		all += v
		if there[frames[0].row] {
			matching += v
		}
	})
	if all == 0 {
		return 0
	}
	return matching / all
}
