package flame

// box is a node as it is drawn: its place in shares of the whole width.
type box struct {
	node, depth int32
	x, w        float64
}

// rest is a run of boxes in a row that are too narrow to draw, or below the last
// row.
type rest struct {
	count int // boxes, those below them included
	depth int32
	x, w  float64
	sum   float64 // their part of the whole, which is less than w where there are gaps
}

// boxes lays a column out: the boxes that are at least min wide and above maxDepth,
// and the places of the others.
func (t *Tree) boxes(weight []float64, min float64, maxDepth int32) (drawn []box, left []rest) {
	whole := weight[0]
	if whole == 0 {
		return nil, nil
	}
	next := t.after()
	type place struct {
		depth int32
		x     float64 // the left end of the next callee
	}
	at := make([]place, len(t.Parent)) // drawn node → its place
	open := map[int32]int{}            // depth → index in left of the last rest in that row
	at[0] = place{0, 0}
	drawn = append(drawn, box{node: 0, depth: 0, x: 0, w: 1})
	for node := int32(1); node < int32(len(t.Parent)); {
		parent := t.Parent[node]
		w, x, depth := weight[node]/whole, at[parent].x, at[parent].depth+1
		at[parent].x += w
		if w >= min && depth < maxDepth {
			drawn = append(drawn, box{node: node, depth: depth, x: x, w: w})
			at[node] = place{depth, x}
			node++
			continue
		}
		if w > 0 {
			i, ok := open[depth]
			if !ok || x-left[i].x-left[i].w > min { // a gap that could be seen
				i = len(left)
				open[depth] = i
				left = append(left, rest{depth: depth, x: x})
			}
			left[i].w = x + w - left[i].x
			left[i].sum += w
			left[i].count += int(next[node] - node)
		}
		node = next[node]
	}
	return drawn, left
}

// after returns by node the first node that is not below it.
func (t *Tree) after() []int32 {
	size := make([]int32, len(t.Parent))
	for node := len(size) - 1; node >= 0; node-- {
		size[node]++
		if node > 0 {
			size[t.Parent[node]] += size[node]
		}
	}
	for node := range size {
		size[node] += int32(node)
	}
	return size
}
