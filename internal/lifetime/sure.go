package lifetime

import (
	"slices"
	"strings"
)

// sure reports whether the function has the path of a fault: the use follows the
// death on all paths, or no decision lies between them.
func (e *engine) sure(c *candidate) bool {
	switch {
	case c.kind == Leak:
		return (!c.loaned || e.reclaimed[c.obj]) && !e.handsOver(c.obj)
	case c.death == nil:
		return true
	case e.surelyListed(c):
		return true
	case c.from == nil && e.later(c) && e.isOver(c.death.at, c.at):
		return false
	case c.from != nil:
		return e.leads(c.from, c.death.at) && e.surelyBelow(c.death.at, part(c.from, c.death.at))
	}
	n := e.observed[occasion{e.trail(c.at), c.obj}]
	if n.alive > 0 && e.chosen(c) {
		return false
	}
	if e.nextRound(c.death.at, c.at) || e.objects[c.obj].aged {
		return e.surelyBelow(c.death.at, part(c.death.at, c.at)) && e.common(c.death.at, c.at)
	}
	if n.alive == 0 && n.dead > 0 {
		return e.common(c.death.at, c.at)
	}
	return e.surelyBelow(c.death.at, part(c.death.at, c.at)) && e.common(c.death.at, c.at) && e.leads(c.death.at, c.at)
}

// handsOver reports whether one path frees an arena that was swapped out of an atomic
// pointer: the others may leave it to the last of its readers.
func (e *engine) handsOver(arena int) bool {
	at := e.objects[arena].at
	return len(at) > 0 && at[len(at)-1].in != nil && at[len(at)-1].in.Name == "(*sync/atomic.Pointer).Swap" &&
		slices.ContainsFunc(e.deaths, func(d *death) bool { return d.of == arena })
}

// nextRound reports whether a use can follow an end only in another round of a loop, or
// in another call of the same function. What was decided in one round says little about
// another one.
func (e *engine) nextRound(end, use []point) bool {
	i := part(end, use)
	if i >= len(end) || i >= len(use) {
		return false
	}
	a, b := end[i], use[i]
	if a.code != b.code || a.late || b.late {
		return false
	}
	c := a.code
	if a.block == b.block && a.index < b.index {
		return false
	}
	if i > 0 && a.block != b.block && !c.reaches(a.block, b.block, -1) {
		return true
	}
	for h := range c.Blocks {
		if c.dominates(h, a.block) && c.dominates(h, b.block) && c.reaches(a.block, h, -1) &&
			(h == b.block || !c.reaches(a.block, b.block, h)) {
			return true
		}
	}
	return false
}

// surelyBelow reports whether the calls below a level of a stack lead to its end.
func (e *engine) surelyBelow(at []point, level int) bool {
	for _, p := range at[min(len(at), level+1):] {
		if !p.late && !p.code.surely(p.block) {
			return false
		}
	}
	return true
}

// common reports whether an end and a use part in the function that is followed, or one of
// them is written there: a fault inside of another function is reported there.
func (e *engine) common(end, use []point) bool {
	i := part(end, use)
	return i >= len(end) || i >= len(use) || e.lexicalCode(end[i].code) || e.inside(end) || e.inside(use)
}

func part(a, b []point) int {
	i := 0
	for i < len(a) && i < len(b) && a[i].same(b[i]) {
		i++
	}
	return i
}

// leads reports whether the instruction at one stack is followed by the other one
// without a decision between them, or always follows it.
func (e *engine) leads(from, at []point) bool {
	i := part(from, at)
	if i >= len(from) || i >= len(at) {
		return true
	}
	a, b := from[i], at[i]
	switch {
	case a.code != b.code, a.late, b.late, a.block == b.block:
		return true
	}
	return a.code.always(a.block, b.block) || a.code.dominates(b.block, a.block) || a.code.dominates(a.block, b.block) ||
		a.code.inRangeAfter(a.block, b.block)
}

// inRangeAfter reports whether each round of a loop over a list passes a block, and a block that
// always comes before the loop leaves the list as it was.
func (c *Code) inRangeAfter(from, to int) bool {
	for h := range c.Blocks {
		if c.always(from, h) && c.dominates(h, to) && !c.reaches(h, from, -1) && c.dominates(c.rangedAt(h), from) {
			return slices.ContainsFunc(c.Blocks[h].Succs, func(body int) bool {
				return c.reaches(body, h, -1) && (body == to || !c.reaches(body, h, to))
			})
		}
	}
	return false
}

// rangedAt is the block that has made the list over which a loop ranges, by the loop's first block.
// If there is no such loop, it is the first block itself.
func (c *Code) rangedAt(header int) int {
	for i := range c.Blocks[header].Instrs {
		in := &c.Blocks[header].Instrs[i]
		if in.Op != Compare || c.Blocks[header].Instrs[0].Name != "rangeindex" {
			continue
		}
		length := c.definition(in.X[1])
		if length == nil || length.Name != "len" || length.X[1] < 0 {
			continue
		}
		if int(length.X[1]) < len(c.Params) {
			return 0
		}
		for at, in := range c.instrs() {
			if in.Dst == length.X[1] {
				return at.block
			}
		}
	}
	return header
}

// before reports whether a point comes before an instruction that it does not follow.
func (c *Code) before(p point, in *Instr) bool {
	at, ok := c.spotOf(in)
	if p.block == at.block {
		return ok && p.index < at.index
	}
	return ok && !c.reaches(at.block, p.block, -1)
}

// surely reports whether a function that is called reaches a block, or leaves only if
// there is nothing to end: a value that is nil, of another type, or too large.
func (c *Code) surely(block int) bool {
	if c.always(0, block) || block == 0 {
		return true
	}
	for b, cond := range c.branches() {
		if b != block && c.reaches(b, block, -1) && !c.always(b, block) && !c.harmless(cond, 0) {
			return false
		}
	}
	return true
}

// harmless reports whether a condition is a test for nil, of a type, or of a length or
// capacity, or the answer of a callback, which is followed.
func (c *Code) harmless(cond Operand, depth int) bool {
	def := c.definition(cond)
	if def == nil || depth > 4 {
		return cond < 0
	}
	switch def.Op {
	case Not:
		return c.harmless(def.X[0], depth+1)
	case Call:
		return def.Name == ""
	case Phi:
		for _, x := range def.X {
			if !c.harmless(x, depth+1) {
				return false
			}
		}
		return true
	case Extract:
		from := c.definition(def.X[0])
		return from != nil && (from.Op == Move || from.Op == Next)
	case Compare:
		for _, x := range def.X {
			if x < 0 && c.Consts[^x].Kind == Nil && def.Type != "error" || c.measures(x, 0) {
				return true
			}
		}
	}
	return false
}

// measures reports whether a value is a length or a capacity.
func (c *Code) measures(x Operand, depth int) bool {
	def := c.definition(x)
	if def == nil || depth > 3 {
		return false
	}
	switch def.Op {
	case Call:
		return def.Name == "len" || def.Name == "cap" || strings.HasSuffix(def.Name, ").Len") ||
			strings.HasSuffix(def.Name, ").Cap")
	case Compute, Move:
		for _, x := range def.X {
			if c.measures(x, depth+1) {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a block, or an end of the function if to is negative, can be
// reached from another block without passing a third one.
func (c *Code) reaches(from, to, without int) bool {
	seen := make([]bool, len(c.Blocks))
	queue := []int{from}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if n := len(c.Blocks[b].Instrs); to < 0 && b != without && n > 0 && c.Blocks[b].Instrs[n-1].Op == Return {
			return true
		}
		for _, n := range c.Blocks[b].Succs {
			if n == without || seen[n] {
				continue
			}
			if n == to {
				return true
			}
			seen[n] = true
			queue = append(queue, n)
		}
	}
	return false
}

// always reports whether each path from a block to the end of the function passes
// another block.
func (c *Code) always(from, through int) bool {
	if !c.reaches(from, through, -1) {
		return false
	}
	if !c.reaches(from, -1, -1) { // it does not end
		return !c.reaches(from, from, through)
	}
	return !c.reaches(from, -1, through)
}

func (c *Code) dominates(a, b int) bool {
	return a == 0 || a == b || b != 0 && !c.reaches(0, b, a) // nothing leads to the entry
}
