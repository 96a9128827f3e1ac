package lifetime

import "fmt"

// sure reports whether the function has the path of a fault: the use follows the
// death on all paths, or no decision lies between them.
func (e *engine) sure(c *candidate) bool {
	switch {
	case c.kind == Leak:
		return true
	case c.death == nil:
		return true
	case c.from != nil:
		return e.leads(c.from, c.death.at)
	}
	if n := e.observed[fmt.Sprint(keyOf(c.at), c.obj)]; n.alive == 0 && n.dead > 0 {
		return e.common(c.death.at, c.at)
	}
	return e.common(c.death.at, c.at) && e.leads(c.death.at, c.at)
}

// common reports whether two stacks part in the function that is followed: what goes
// on inside of another one is reported there.
func (e *engine) common(a, b []point) bool {
	i := part(a, b)
	return i >= len(a) || i >= len(b) || e.lexicalCode(a[i].code)
}

func part(a, b []point) int {
	i := 0
	for i < len(a) && i < len(b) && a[i].key() == b[i].key() {
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
	return a.code.always(a.block, b.block) || a.code.dominates(b.block, a.block) || a.code.dominates(a.block, b.block)
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

func (c *Code) dominates(a, b int) bool { return a == 0 || a == b || !c.reaches(0, b, a) }
