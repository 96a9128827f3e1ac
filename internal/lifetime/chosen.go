package lifetime

import "slices"

// chosen reports whether an end concerns memory of an earlier round of a loop, and each round
// chooses which of several arenas it ends. A choice such as i%2 is not followed, so the round
// before may have chosen another one.
func (e *engine) chosen(c *candidate) bool {
	made := e.objects[c.obj]
	if e.nextRound(c.death.at, c.at) || !made.aged && !e.nextRound(made.at, c.death.at) || !e.choosesInLoop(c.death) {
		return false
	}
	for _, d := range e.deaths {
		if keyOf(d.at) == keyOf(c.death.at) && d.how == c.death.how && !e.sameSite(d.of, c.death.of) {
			return true
		}
	}
	return false
}

// sameSite reports whether one instruction has made two objects.
func (e *engine) sameSite(a, b int) bool {
	older := func(o, than int) bool { old := e.objects[than].old; return old != nil && old.id == o }
	return a == b || older(a, b) || older(b, a)
}

// choosesInLoop reports whether each round of a loop computes which arena ends, other than by a
// variable of the loop, whose rounds are followed.
func (e *engine) choosesInLoop(d *death) bool {
	p, ok := e.place(d.at)
	if !ok {
		return false
	}
	for b := range p.code.Blocks {
		block := &p.code.Blocks[b]
		for i := range block.Instrs {
			in := &block.Instrs[i]
			if in.Dst == none || !slices.Contains(p.in.X, in.Dst) || !p.code.reaches(b, b, -1) {
				continue
			}
			if in.Op != Phi || !slices.ContainsFunc(block.Preds, func(from int) bool { return p.code.dominates(b, from) }) {
				return true
			}
		}
	}
	return false
}
