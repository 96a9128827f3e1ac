package evidence

import (
	"cmp"
	"slices"
)

// LineCost is a line of the program and its share of CPU time, with the functions of others
// that it calls.
type LineCost struct {
	Frame
	Share float64
	Path  []Frame // heaviest call path, the leaf first; the line is in it
}

// LineCosts returns the lines of the program on which CPU samples end, or the calls out of it
// that they end in. The one that takes most comes first.
func (e *Evidence) LineCosts() []LineCost {
	if e.CPU == nil {
		return nil
	}
	all, heaviest := map[Frame]*LineCost{}, map[Frame]float64{}
	for _, stack := range e.CPU.Stacks {
		path, share := e.Frames(stack), e.Of(stack).CPU
		own := slices.IndexFunc(path, e.Owns)
		if own < 0 {
			continue
		}
		l := all[path[own]]
		if l == nil {
			l = &LineCost{Frame: path[own]}
			all[l.Frame] = l
		}
		l.Share += share
		if share > heaviest[l.Frame] {
			heaviest[l.Frame], l.Path = share, path
		}
	}
	var costs []LineCost
	for _, l := range all {
		costs = append(costs, *l)
	}
	slices.SortFunc(costs, func(a, b LineCost) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Function, b.Function))
	})
	return costs
}
