package lifetime

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// isOver reports whether a counter of a loop says that a use does not follow an end in a later round: the
// end comes in the round in which the counter has one value, which is the last one, or the use
// depends on the counter too.
func (e *engine) isOver(end, use []point) bool {
	for i := range min(len(end), len(use)) {
		a, b := end[i], use[i]
		if a.code != b.code || a.code.src == nil {
			return false
		}
		guards := a.code.guards(a.block)
		for _, at := range guards {
			test := a.code.comparison(at.cond)
			if test == nil {
				continue
			}
			counter, isLast := counts(test)
			if counter == nil || at.truth != (test.Op == token.EQL) || !a.code.inLoop(loopOf(counter), b.block) {
				continue
			}
			if isLast {
				return true
			}
			for _, other := range a.code.guards(b.block) {
				same := other == at || !slices.Contains(guards, other)
				if test := a.code.comparison(other.cond); test != nil && test.X == counter && same {
					return true
				}
			}
		}
		if !a.same(b) {
			return false
		}
	}
	return false
}

// A guard is a condition that decides whether a block runs.
type guard struct {
	cond  Operand
	truth bool
}

// guards are the conditions after which alone a block runs.
func (c *Code) guards(block int) (all []guard) {
	for b, cond := range c.branches() {
		for i, next := range c.Blocks[b].Succs {
			if b != block && len(c.Blocks[next].Preds) == 1 && c.dominates(next, block) {
				all = append(all, guard{cond, i == 0})
			}
		}
	}
	return all
}

// branches are the conditions at the ends of blocks.
func (c *Code) branches() iter.Seq2[int, Operand] {
	return func(yield func(int, Operand) bool) {
		for b := range c.Blocks {
			instrs := c.Blocks[b].Instrs
			if n := len(instrs); n > 0 && instrs[n-1].Op == Branch && !yield(b, instrs[n-1].X[0]) {
				return
			}
		}
	}
}

// comparison is the comparison that is a condition, nil if it is another one.
func (c *Code) comparison(cond Operand) *ssa.BinOp {
	def := c.definition(cond)
	if def == nil {
		return nil
	}
	test, _ := def.src.(*ssa.BinOp)
	return test
}

// inLoop reports whether a block is part of the loop with a header.
func (c *Code) inLoop(header, block int) bool {
	return slices.ContainsFunc(c.Blocks[header].Preds, func(last int) bool {
		return c.dominates(header, last) && (block == header || block == last || c.reaches(block, last, header))
	})
}

// loopOf is the header of the loop that a counter counts.
func loopOf(counter ssa.Value) int {
	if next, ok := counter.(*ssa.BinOp); ok {
		counter = next.X
	}
	return counter.(*ssa.Phi).Block().Index
}

// counts returns the counter that a comparison for equality reads, nil if there is none. It is the
// last value if the loop ends at the next one.
func counts(test *ssa.BinOp) (counter ssa.Value, isLast bool) {
	if test.Op != token.EQL && test.Op != token.NEQ {
		return nil, false
	}
	phi, _ := test.X.(*ssa.Phi)
	if next, ok := test.X.(*ssa.BinOp); ok && isRangeIndex(test.X) {
		phi, _ = next.X.(*ssa.Phi)
	}
	if phi == nil {
		return nil, false
	}
	steps := false
	for _, edge := range phi.Edges {
		next, ok := edge.(*ssa.BinOp)
		steps = steps || ok && next.Op == token.ADD && next.X == phi && isOne(next.Y)
	}
	if !steps {
		return nil, false
	}
	for _, r := range *test.X.Referrers() {
		bound, ok := r.(*ssa.BinOp)
		if ok && bound.Op == token.LSS && bound.X == test.X && isLessOne(test.Y) {
			isLast = isLast || sameLength(bound.Y, test.Y.(*ssa.BinOp).X)
		}
	}
	return test.X, isLast
}

// sameLength reports whether two values are one, or the lengths of one list.
func sameLength(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Call)
	y, isCall := b.(*ssa.Call)
	return a == b || ok && isCall && x.Call.Value.Name() == "len" && y.Call.Value.Name() == "len" &&
		sameValue(x.Call.Args[0], y.Call.Args[0])
}
