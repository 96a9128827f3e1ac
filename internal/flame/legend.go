package flame

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
)

// entry is one colour of the SVG's legend and where it stands.
type entry struct {
	class, text string
	x, row      int
}

// legend explains the colours, with the share of each. It has at least
// one entry.
func (s *svg) legend() []entry {
	var all []entry
	if s.tree.Base != nil {
		return placed([]entry{{class: "c8", text: "more"}, {class: "c6", text: "a little more"},
			{class: "c4", text: "the same"},
			{class: "c2", text: "a little less"}, {class: "c0", text: "less"}, {class: "c0 gone", text: "gone"}})
	}
	names, of, step := owner.Names(), func(node int) int { return int(s.tree.Frames[s.tree.Frame[node]].Owner) }, shades
	if s.classes != nil {
		names, of, step = nil, func(node int) int { return int(s.tree.class[node]) }, 1
		for _, c := range cost.Classes() {
			names = append(names, c.String())
		}
	}
	parts := make([]float64, len(names))
	for node, self := range s.tree.Self[s.tree.Column] {
		if node > 0 {
			parts[of(node)] += math.Abs(float64(self))
		}
	}
	for i, part := range parts {
		if part > 0 {
			all = append(all, entry{class: fmt.Sprintf("c%d", i*step),
				text: names[i] + " " + format.Share(part/s.weight[0])})
		}
	}
	if all == nil {
		all = []entry{{class: "root", text: "no function"}}
	}
	return placed(all)
}

// placed puts entries beside each other, in as many rows as that takes.
func placed(all []entry) []entry {
	x, row := svgMargin, 0
	for i := range all {
		width := 17 + 7*len(all[i].text) + 14 // 7 px is a wide sign of 13 px
		if x+width > svgWidth {
			x, row = svgMargin, row+1
		}
		all[i].x, all[i].row = x, row
		x += width
	}
	return all
}
