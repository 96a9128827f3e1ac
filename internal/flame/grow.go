package flame

import (
	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
)

// grower adds stacks to a tree. What it finds out of a location or a stack it
// remembers, for samples repeat them.
type grower struct {
	dict      *profile.Dict
	tree      *Tree
	byName    map[string]int32
	locations [][]int32        // by LocationID: the frames, the leaf first
	callees   map[uint64]int32 // node and frame to node
	ends      []int32          // by StackID: the node where it ends + 1; 0 is not known yet
}

func newGrower(d *profile.Dict, t *Tree) *grower {
	stacks, _, locations, _ := d.Sizes()
	g := &grower{
		dict: d, tree: t, byName: map[string]int32{}, callees: map[uint64]int32{},
		locations: make([][]int32, locations), ends: make([]int32, stacks),
	}
	t.Frames = []Frame{{Name: "all"}}
	t.Self = make([][]int64, len(t.Types))
	g.node(-1, 0)
	return g
}

// maxNodes bounds what a tree takes to some gigabytes. Profiles of real services
// have up to some 100,000 nodes; a file made to harm could have as many as bytes.
const maxNodes = 1 << 24

// add adds the samples that pass and are not zero in every column, as base or
// not, and returns how many they were.
func (g *grower) add(p *profile.Profile, columns []column, passes func(profile.StackID) bool, base bool) (kept int) {
	t := g.tree
	if base {
		t.Base = make([][]int64, len(columns))
		for i := range t.Base {
			t.Base[i] = make([]int64, len(t.Parent))
		}
	}
	for row, stack := range p.Stacks {
		if !passes(stack) || !counts(p, columns, row, base) {
			continue
		}
		kept++
		if len(t.Parent) > maxNodes {
			continue // New says so
		}
		end := g.end(stack)
		t.end[end] = true
		for i, c := range columns {
			if base {
				t.Base[i][end] += p.Values[c.base][row]
			} else {
				t.Self[i][end] += p.Values[c.of][row]
			}
		}
	}
	return kept
}

func counts(p *profile.Profile, columns []column, row int, base bool) bool {
	for _, c := range columns {
		at := c.of
		if base {
			at = c.base
		}
		if p.Values[at][row] != 0 {
			return true
		}
	}
	return false
}

// end returns the node where a stack ends.
func (g *grower) end(stack profile.StackID) int32 {
	if g.ends[stack] != 0 {
		return g.ends[stack] - 1
	}
	locations, at := g.dict.Stack(stack), int32(0)
	for i := range locations {
		loc := locations[i]
		if !g.tree.Inverted {
			loc = locations[len(locations)-1-i]
		}
		frames := g.frames(loc)
		for j := range frames {
			frame := frames[j]
			if !g.tree.Inverted {
				frame = frames[len(frames)-1-j]
			}
			at = g.callee(at, frame)
		}
	}
	g.ends[stack] = at + 1
	return at
}

func (g *grower) callee(node, frame int32) int32 {
	key := uint64(node)<<32 | uint64(frame)
	n, ok := g.callees[key]
	if !ok {
		n = g.node(node, frame)
		g.callees[key] = n
	}
	return n
}

func (g *grower) node(parent, frame int32) int32 {
	t := g.tree
	t.Parent, t.Frame, t.end = append(t.Parent, parent), append(t.Frame, frame), append(t.end, false)
	for i := range t.Self {
		t.Self[i] = append(t.Self[i], 0)
	}
	for i := range t.Base {
		t.Base[i] = append(t.Base[i], 0)
	}
	return int32(len(t.Parent) - 1)
}

// frames returns the frames of a location, the leaf first. Functions are told
// apart by name, as go tool pprof does.
func (g *grower) frames(loc profile.LocationID) []int32 {
	if g.locations[loc] != nil {
		return g.locations[loc]
	}
	n := g.dict.Lines(loc)
	frames := make([]int32, max(1, n))
	for i := range frames {
		f := profile.Frame{Location: loc}
		if n > 0 {
			f.Line = g.dict.Line(loc, i)
		}
		name := profile.ByFunction(g.dict, f)
		at, ok := g.byName[name]
		if !ok {
			at = int32(len(g.tree.Frames))
			g.byName[name] = at
			g.tree.Frames = append(g.tree.Frames, newFrame(name, g.dict.Function(f.Function)))
		}
		frames[i] = at
	}
	g.locations[loc] = frames
	return frames
}

// classify notes the cost class of what ends at each node. It follows from the
// functions on the path, so stacks that share a node share a class.
func (g *grower) classify(c *cost.Classifier) {
	g.tree.class = make([]uint8, len(g.tree.Parent))
	for stack, end := range g.ends {
		if end != 0 {
			g.tree.class[end-1] = uint8(c.Class(profile.StackID(stack)))
		}
	}
}
