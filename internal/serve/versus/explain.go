package versus

import (
	"cmp"
	"maps"
	"slices"

	"github.com/heapwright/heapwright/internal/verdict"
)

const (
	// through is the share of a function's cost that goes through a caller if its cost is
	// a part of the caller's.
	through = 0.9
	// whole is the share of the service from which on a caller says nothing about where a
	// cost moved to: too much else is in it.
	whole = 0.5
)

// position is a line, counted from the first line of its function, so that lines before
// the function do not matter.
type position struct {
	function string
	offset   int64
}

type lineCost struct {
	change float64
	file   string
	line   int64 // the newest version's number
}

// explain names the line of each change, and the function within which it only moved. An
// interval is so many standard errors to each side.
func (t *tally) explain(m *matrix, changes []*Change, all []Process, critical float64) {
	for _, c := range changes {
		if c.row < firstFunction {
			continue
		}
		lines, callers, cost := map[position]lineCost{}, map[int]float64{}, 0.0
		direct := costs{}       // caller → cost in the version that costs more
		for i, p := range all { // the newer version is last
			t.walk(p.Profile, func(frames []frame, v float64) {
				if frames[0].row != c.row {
					return
				}
				f := p.Profile.Dict.Function(frames[0].function)
				at := position{f.Name, frames[0].line - f.StartLine}
				lines[at] = lineCost{lines[at].change + m.signed(i)*v, f.File, frames[0].line}
				if m.split[i] == (c.Effect() > 0) && len(frames) > 1 {
					direct.add(frames[1].row, v)
				}
				if !m.split[i] {
					return
				}
				cost += v
				for j, caller := range frames {
					if !contains(frames[:j], caller.row) {
						callers[caller.row] += v
					}
				}
			})
		}
		c.place(lines)
		if c.caller = -1; len(direct) > 0 {
			c.caller = slices.Index(direct, slices.Max(direct))
		}
		if c.Verdict == verdict.Worse {
			c.Moved = t.within(m, c, callers, cost, critical)
		}
	}
	pair(changes)
}

// pair marks the changes that another function of the same caller balances: it has another
// name now, or a part of it was cut off. The other function must surely cost less, because
// the cost of a large one differs by as much by chance.
func pair(changes []*Change) {
	for _, c := range changes {
		for _, other := range changes {
			if c.Verdict == verdict.Worse && c.Moved == "" && c.caller >= 0 && other.caller == c.caller &&
				other.High < 0 && other.Effect() < -c.Effect()/2 {
				c.Moved = other.Function
			}
		}
	}
}

// place names the line that changed most in the direction of the effect.
func (c *Change) place(lines map[position]lineCost) {
	sign := 1.0
	if c.Effect() < 0 {
		sign = -1
	}
	order := slices.SortedFunc(maps.Keys(lines), func(a, b position) int {
		return cmp.Or(cmp.Compare(sign*lines[b].change, sign*lines[a].change),
			cmp.Compare(a.function, b.function), cmp.Compare(a.offset, b.offset))
	})
	if len(order) > 0 {
		c.Function, c.File, c.Line = order[0].function, lines[order[0]].file, int(lines[order[0]].line)
	}
}

// within returns the caller in which the opposite of a change balances it, "" if there is
// none. The rest of the caller must surely cost less.
func (t *tally) within(m *matrix, c *Change, callers map[int]float64, cost, critical float64) string {
	for _, row := range slices.Sorted(maps.Keys(callers)) {
		if row == c.row || callers[row] < through*cost {
			continue
		}
		rest, variance := make([]float64, len(t.cum)), make([]float64, len(t.cum))
		before := 0.0
		for i := range t.cum {
			if !m.split[i] {
				before -= m.signed(i) * t.cum[i].at(row)
			}
			rest[i], variance[i] = m.cell(t, i, max(0, t.cum[i].at(row)-t.flat[i].at(c.row)))
		}
		less, se := difference(rest, variance, m.split)
		if before > 0 && before < whole && less+critical*se < 0 && less < -c.Effect()/2 {
			return t.names.text(row)
		}
	}
	return ""
}
