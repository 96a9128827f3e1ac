package diagnose

import (
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
)

// maxPath is how many frames of a path are kept: what is further out is the
// start of the goroutine, which tells little.
const maxPath = 32

// path returns the frames of a stack from its site's own leaf on outward.
func (g *gatherer) path(stack profile.StackID) []Frame {
	var path []Frame
	for f := range g.Dict.Frames(stack) {
		if len(path) == 0 && g.owners.of(f.Function) == inRuntime {
			continue // heap profiles leave these out, so no path has them
		}
		fn := g.Dict.Function(f.Function)
		path = append(path, Frame{fn.Name, fn.File, int(f.Line.Line)})
		if len(path) == maxPath {
			break
		}
	}
	return path
}

// descend adds a stack to the functions that its site allocates through, each
// once: recursion does not make it more.
func (g *gatherer) descend(s *siteSums, stack profile.StackID, below map[string]*Callee) {
	w := &g.weights[stack]
	var seen []profile.FunctionID
	for f := range g.Dict.Frames(stack) {
		if (line{f.Function, f.Line.Line}) == s.key {
			return
		}
		if slices.Contains(seen, f.Function) {
			continue
		}
		seen = append(seen, f.Function)
		name := g.Dict.FunctionName(f.Function)
		c := below[name]
		if c == nil {
			c = &Callee{Function: name, Runtime: g.owners.of(f.Function) == inRuntime}
			below[name] = c
		}
		c.Alloc.add(w.Alloc)
		c.Live.add(w.Live)
		c.CPU += w.CPU
		c.Saves = c.Saves.Plus(w.Saves)
	}
}

// addTotals gives each site the CPU share of all samples that its line is in,
// at whatever depth.
func (g *gatherer) addTotals() {
	if g.CPU == nil {
		return
	}
	var seen []int32
	for stack := range g.weights {
		cpu := g.weights[stack].CPU
		if cpu == 0 {
			continue
		}
		seen = seen[:0]
		for f := range g.Dict.Frames(profile.StackID(stack)) {
			if i, ok := g.index[line{f.Function, f.Line.Line}]; ok && !slices.Contains(seen, i) {
				seen = append(seen, i)
				g.sites[i-1].Total += cpu
			}
		}
	}
}
