package flame

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
)

// grower adds stacks to a tree. It remembers the nodes of locations and stacks, for
// samples repeat them.
type grower struct {
	dict      *profile.Dict
	tree      *Tree
	byName    map[string]int32
	locations [][]int32        // LocationID → the frames, the leaf first
	callees   map[uint64]int32 // node and frame to node
	ends      []int32          // StackID → the node where it ends + 1; 0 is not known yet
	most      int              // bound on the number of nodes
}

func newGrower(d *profile.Dict, t *Tree, most int) *grower {
	g := &grower{
		dict: d, tree: t, byName: map[string]int32{}, callees: map[uint64]int32{}, most: most,
		locations: make([][]int32, d.NumLocations()), ends: make([]int32, d.NumStacks()),
	}
	t.Frames = []Frame{{Name: "all"}}
	t.Self = make([][]int64, len(t.Types))
	g.node(-1, 0)
	return g
}

// defaultMaxNodes bounds the memory of a tree to some hundred megabytes, and its page
// to a size that a browser shows with ease. Profiles of real services have up to some
// 100,000 nodes.
const defaultMaxNodes = 1 << 20

// leftOut is the name of the frame that stands for calls beyond the most nodes.
const leftOut = "(calls left out)"

// add adds the samples that pass the filter and are not zero in every column, to the base
// or to the profile, and returns their number.
func (g *grower) add(p *profile.Profile, columns []column, passes func(profile.StackID) bool, base bool) (kept int) {
	t := g.tree
	if base {
		t.Base = make([][]int64, len(columns))
		for i := range t.Base {
			t.Base[i] = make([]int64, len(t.Parent))
		}
	}
	for _, row := range g.rows(p, columns[t.Column], base) {
		stack := p.Stacks[row]
		if !passes(stack) || !counts(p, columns, row, base) {
			continue
		}
		kept++
		end := g.end(stack)
		t.end[end] = true
		for i, c := range columns {
			if base {
				t.Base[i][end] += p.Values[c.base][row]
			} else {
				t.Self[i][end] += p.Values[c.index][row]
			}
		}
	}
	return kept
}

// rows returns the samples of a profile in the order in which they are added: the
// heaviest first if there could be too many nodes, so that the light ones are cut.
func (g *grower) rows(p *profile.Profile, shown column, base bool) []int {
	rows, locations := make([]int, len(p.Stacks)), 0
	for row, stack := range p.Stacks {
		rows[row] = row
		locations += len(p.Dict.Stack(stack))
	}
	if values := p.Values[shown.in(base)]; locations > g.most/2 {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	}
	return rows
}

// in returns the column's index in the profile, or in the base.
func (c column) in(base bool) int {
	if base {
		return c.base
	}
	return c.index
}

// counts reports whether a sample has a value other than zero.
func counts(p *profile.Profile, columns []column, row int, base bool) bool {
	for _, c := range columns {
		if p.Values[c.in(base)][row] != 0 {
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
			next, ok := g.callee(at, frame)
			if !ok {
				g.tree.LeftOut++
				next, _ = g.callee(at, g.leftOut())
				g.ends[stack] = next + 1
				return next
			}
			at = next
		}
	}
	g.ends[stack] = at + 1
	return at
}

// callee returns the node of a call. It fails if that would be one too many.
func (g *grower) callee(node, frame int32) (int32, bool) {
	key := uint64(node)<<32 | uint64(frame)
	n, ok := g.callees[key]
	if !ok {
		if len(g.tree.Parent) >= g.most && g.tree.Frames[frame].Name != leftOut {
			return 0, false
		}
		n = g.node(node, frame)
		g.callees[key] = n
	}
	return n, true
}

// leftOut returns the frame that stands for the calls that are not drawn: at most
// one below each node.
func (g *grower) leftOut() int32 {
	at, ok := g.byName[leftOut]
	if !ok {
		at = int32(len(g.tree.Frames))
		g.byName[leftOut] = at
		g.tree.Frames = append(g.tree.Frames, Frame{Name: leftOut})
	}
	return at
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

// frames returns the frames of a location, the leaf first. Functions with
// different names are different, as in go tool pprof.
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
		name := g.dict.FrameName(f)
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

// classify notes the cost class of the stacks that end at each node. It follows from the
// functions on the path, so stacks that share a node share a class.
func (g *grower) classify(c *cost.Classifier) {
	g.tree.class = make([]uint8, len(g.tree.Parent))
	for stack, end := range g.ends {
		if end != 0 {
			g.tree.class[end-1] = uint8(c.Class(profile.StackID(stack)))
		}
	}
}
