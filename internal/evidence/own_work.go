package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// hotLine is the share of CPU time of one line, without the functions that it calls, from which
// on it is worth a look for large values that it copies.
const hotLine = 0.1

// copying are the runtime's functions that copy values, by the beginning of their names.
var copying = []string{"runtime.duffcopy", "runtime.memmove", "runtime.typedmemmove"}

// HotLine is a line of the program and its share of CPU time, without the functions that it
// calls, except the ones that copy values.
type HotLine struct {
	Frame
	Share float64
}

// HotLines returns the lines of the program that take a tenth of the CPU time or more by
// themselves. The one that takes most comes first.
func (e *Evidence) HotLines() (hot []HotLine) {
	if e.CPU == nil {
		return nil
	}
	shares := map[Frame]float64{}
	for _, stack := range e.CPU.Stacks {
		path := e.Frames(stack)
		own := slices.IndexFunc(path, func(f Frame) bool {
			return !slices.ContainsFunc(copying, func(name string) bool { return strings.HasPrefix(f.Function, name) })
		})
		if own >= 0 && e.Owns(path[own]) {
			shares[path[own]] += e.Of(stack).Work
		}
	}
	for at, share := range shares {
		if share >= hotLine {
			hot = append(hot, HotLine{at, share})
		}
	}
	slices.SortFunc(hot, func(a, b HotLine) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Function, b.Function))
	})
	return hot
}
