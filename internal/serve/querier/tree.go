package querier

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// tree is the calls of one profile, or of two to compare, by the names of functions.
type tree struct {
	root  node
	nodes int
	index map[call]*node
}

type node struct {
	name     string
	total    [2]int64 // one for each side
	self     [2]int64
	children []*node
}

type call struct {
	parent *node
	name   string
}

// mostNodes bounds a tree.
const mostNodes = 2 << 20

// mostDepth bounds the calls of a stack, the root first. Go's own profiles have up to 128.
const mostDepth = 4096

// add adds a column of a profile to one side of the tree. Of stacks only those count
// that begin with the call sites, the root first.
func (t *tree) add(p *profile.Profile, column, side int, sites []string, keep func(row int) bool) error {
	if t.index == nil {
		t.index = map[call]*node{}
	}
	var names []string
	for row, stack := range p.Stacks {
		v := p.Values[column][row]
		if v <= 0 || !keep(row) {
			continue
		}
		names = names[:0]
		for f := range p.Dict.Frames(stack) {
			names = append(names, p.Dict.FrameName(f))
		}
		slices.Reverse(names)
		names = names[:min(len(names), mostDepth)]
		if len(names) < len(sites) || !slices.Equal(names[:len(sites)], sites) {
			continue
		}
		at := &t.root
		at.total[side] += v
		for _, name := range names {
			next := t.index[call{at, name}]
			if next == nil {
				if t.nodes++; t.nodes > mostNodes {
					return fmt.Errorf("%w: more than %d calls; choose a shorter time", store.ErrLarge, mostNodes)
				}
				next = &node{name: name}
				t.index[call{at, name}] = next
				at.children = append(at.children, next)
			}
			next.total[side] += v
			at = next
		}
		at.self[side] += v
	}
	return nil
}

// usualNodes is the number of nodes of a query that gives none; Pyroscope has the same.
const usualNodes = 8192

// truncate keeps about so many nodes with the largest totals. Others become one node of
// their parent, so that all sums stay, and children are sorted by name.
func (t *tree) truncate(most int64) {
	if most <= 0 {
		most = usualNodes
	}
	least := int64(1)
	if int64(t.nodes) > most {
		totals := make([]int64, 0, t.nodes)
		for _, n := range t.index {
			totals = append(totals, max(n.total[0], n.total[1]))
		}
		slices.Sort(totals)
		least = totals[len(totals)-int(most)]
		if n, _ := slices.BinarySearch(totals, least); int64(len(totals)-n) > 2*most {
			least++ // many calls are as small as this one
		}
	}
	t.index = nil
	t.root.truncate(least)
}

func (n *node) truncate(least int64) {
	other := &node{name: "other"}
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		small := max(c.total[0], c.total[1]) < least
		if small {
			for side, v := range c.total {
				other.total[side] += v
				other.self[side] += v
			}
		}
		return small
	})
	for _, c := range n.children {
		c.truncate(least)
	}
	slices.SortFunc(n.children, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
	if other.total != [2]int64{} {
		n.children = append(n.children, other)
	}
}

// levels are the rows of a flame graph in Pyroscope's form. Each bar has, for each side,
// the distance from the end of the bar before, its total and its self value, and then the
// number of its name.
type levels struct {
	sides   int
	names   []string
	numbers map[string]int64
	rows    []*pb.Level
	ends    [][2]int64 // row → the end of its last bar
	maxSelf int64
}

func (t *tree) levels(sides int) *levels {
	l := &levels{sides: sides, names: []string{"total"}, numbers: map[string]int64{}}
	l.add(&t.root, 0, 0, [2]int64{})
	return l
}

func (l *levels) add(n *node, name int64, depth int, x [2]int64) {
	if depth == len(l.rows) {
		l.rows, l.ends = append(l.rows, &pb.Level{}), append(l.ends, [2]int64{})
	}
	row := l.rows[depth]
	for side := range l.sides {
		row.Values = append(row.Values, x[side]-l.ends[depth][side], n.total[side], n.self[side])
		l.ends[depth][side] = x[side] + n.total[side]
		l.maxSelf = max(l.maxSelf, n.self[side])
		x[side] += n.self[side]
	}
	row.Values = append(row.Values, name)
	for _, c := range n.children {
		number, ok := l.numbers[c.name]
		if !ok {
			number = int64(len(l.names))
			l.numbers[c.name] = number
			l.names = append(l.names, c.name)
		}
		l.add(c, number, depth+1, x)
		for side := range x {
			x[side] += c.total[side]
		}
	}
}

func (t *tree) flame() *pb.FlameGraph {
	l := t.levels(1)
	return &pb.FlameGraph{Names: l.names, Levels: l.rows, Total: t.root.total[0], MaxSelf: l.maxSelf}
}

func (t *tree) diff() *pb.FlameGraphDiff {
	l := t.levels(2)
	return &pb.FlameGraphDiff{Names: l.names, Levels: l.rows, Total: t.root.total[0] + t.root.total[1],
		MaxSelf: l.maxSelf, LeftTicks: t.root.total[0], RightTicks: t.root.total[1]}
}

// bytes returns the tree in Pyroscope's form: of each node the length of its name, the
// name, its self value and the number of its children, which follow.
func (n *node) bytes(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.name)))
	b = append(b, n.name...)
	b = binary.AppendUvarint(b, uint64(n.self[0]))
	b = binary.AppendUvarint(b, uint64(len(n.children)))
	for _, c := range n.children {
		b = c.bytes(b)
	}
	return b
}
