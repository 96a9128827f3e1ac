package flametest

import (
	"maps"

	"github.com/heapwright/heapwright/internal/profile"
)

// Figures maps a function's name to its flat and cumulative values, as profile.Group
// counts them.
type Figures map[string][2]int64

// FiguresOf returns the figures of one column of a profile, by profile.Group.
func FiguresOf(p *profile.Profile, column int) Figures {
	all := Figures{}
	for _, g := range p.Group(column) {
		all[g.Name] = [2]int64{g.Flat, g.Cum}
	}
	return all.DeleteZeros()
}

// DeleteZeros deletes the functions whose values are both zero, which a graph does not
// show, and returns f.
func (f Figures) DeleteZeros() Figures {
	maps.DeleteFunc(f, func(_ string, v [2]int64) bool { return v == [2]int64{} })
	return f
}
