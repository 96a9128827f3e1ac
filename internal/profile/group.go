package profile

import (
	"cmp"
	"slices"
)

// Group is the share of one function in a column.
type Group struct {
	Name string
	Flat int64 // the sum of the samples whose leaf frame it is
	Cum  int64 // the sum of the samples that it is in, each counted once
}

// Group sums a column up by function, the largest flat share first, then by
// cumulative share and name. Inlined calls are frames of their own. go tool pprof -top
// shows the same figures.
func (p *Profile) Group(column int) []Group {
	g := grouper{dict: p.Dict, byName: map[string]int{}}
	locations := p.Dict.locations.len()
	g.frames = make([][]int, locations)
	var groups []Group
	var lastRow []int // group → 1 + the last row that counted towards Cum
	for row, stack := range p.Stacks {
		value := p.Values[column][row]
		if value == 0 {
			continue
		}
		for depth, loc := range p.Dict.Stack(stack) {
			for i, group := range g.of(loc) {
				if group >= len(groups) {
					groups = append(groups, make([]Group, group+1-len(groups))...)
					lastRow = append(lastRow, make([]int, group+1-len(lastRow))...)
				}
				if depth == 0 && i == 0 {
					groups[group].Flat += value
				}
				if lastRow[group] != row+1 {
					lastRow[group] = row + 1
					groups[group].Cum += value
				}
			}
		}
	}
	for name, group := range g.byName {
		groups[group].Name = name
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(size(b.Flat), size(a.Flat)), cmp.Compare(size(b.Cum), size(a.Cum)),
			cmp.Compare(a.Name, b.Name))
	})
	return groups
}

// size is how much a value matters whatever its sign: in a diff, a saving of 5
// stands beside a loss of 5.
func size(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// grouper remembers the groups of each location's frames, the leaf first.
type grouper struct {
	dict   *Dict
	byName map[string]int
	frames [][]int // LocationID → groups
}

func (g *grouper) of(loc LocationID) []int {
	if g.frames[loc] != nil {
		return g.frames[loc]
	}
	n := g.dict.Lines(loc)
	groups := make([]int, max(1, n))
	for i := range groups {
		f := Frame{Location: loc}
		if n > 0 {
			f.Line = g.dict.Line(loc, i)
		}
		name := g.dict.FrameName(f)
		group, ok := g.byName[name]
		if !ok {
			group = len(g.byName)
			g.byName[name] = group
		}
		groups[i] = group
	}
	g.frames[loc] = groups
	return groups
}
