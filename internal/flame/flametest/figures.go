package flametest

import (
	"maps"

	"github.com/heapwright/heapwright/internal/profile"
)

// Figures is flat and cum by function name, as profile.Group counts them.
type Figures map[string][2]int64

// Grouped returns the figures of a profile as its groups have them.
func Grouped(p *profile.Profile, column int) Figures {
	all := Figures{}
	for _, g := range p.Group(column) {
		all[g.Name] = [2]int64{g.Flat, g.Cum}
	}
	return all.NonZero()
}

// NonZero takes the functions out of which there is nothing.
func (f Figures) NonZero() Figures {
	maps.DeleteFunc(f, func(_ string, v [2]int64) bool { return v == [2]int64{} })
	return f
}
