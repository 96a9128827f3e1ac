package lifetime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A test compares a value with a number.
type test struct {
	sym int
	op  string
	n   int64
}

// mirrored are the comparisons that hold when their operands change places.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// compare is the value of a condition.
func (e *engine) compare(s *state, in *Instr) value {
	x, y := e.operand(s, in.X[0]), e.operand(s, in.X[1])
	if in.Flag && y.bits != null && x.bits != null {
		e.uses(s, x, in.X[0], read)
		e.uses(s, y, in.X[1], read)
	}
	comparison := in.Name
	if x.definitelyNil() || x.num != "" && y.num == "" {
		x, y = y, x
		if swapped, ok := mirrored[comparison]; ok {
			comparison = swapped
		}
	}
	e.reunites(s, x, y)
	negated := in.Name == "!="
	if in.Name == "==" || negated {
		truth := func(b bool) value {
			if b != negated {
				return value{bits: yes}
			}
			return value{bits: no}
		}
		name, bases := "", []int(nil)
		switch {
		case y.definitelyNil():
			switch {
			case x.definitelyNil():
				return truth(true)
			case len(x.refs) > 0 && x.bits&^(many|each) == 0 && !e.mayBeNil(x):
				return truth(false)
			case len(x.refs) == 1 && x.bits&^(null|many|each) == 0:
				base := e.nilness(x.refs[0])
				name, bases = fmt.Sprint("nil", x.refs[0].obj, x.refs[0].path), nil
				_ = base
			case x.sym != 0:
				name, bases = fmt.Sprint("eq", x.sym, "nil"), []int{x.sym}
			}
		case x.num != "" && y.num != "":
			return truth(x.num == y.num)
		case (x.bits == yes || x.bits == no) && (y.bits == yes || y.bits == no):
			return truth(x.bits == y.bits)
		case x.sym != 0 && y.sym == x.sym:
			return truth(true)
		case x.sym != 0 && y.sym != 0:
			name, bases = fmt.Sprint("eq", min(x.sym, y.sym), ",", max(x.sym, y.sym)), []int{x.sym, y.sym}
		}
		if name != "" {
			return e.condition(s, e.sym(name, bases...), negated)
		}
	}
	if n, err := strconv.ParseInt(x.num, 10, 64); err == nil && y.num != "" {
		if m, err := strconv.ParseInt(y.num, 10, 64); err == nil {
			if known, truth := (test{op: comparison, n: m}).within(n, n); known {
				return value{}.known(truth)
			}
		}
	}
	if x.sym != 0 && y.num != "" {
		name := fmt.Sprint("cmp", x.sym, comparison, y.num)
		if negated {
			name = fmt.Sprint("cmp", x.sym, "==", y.num)
		}
		sym := e.sym(name, x.sym)
		if n, err := strconv.ParseInt(y.num, 10, 64); err == nil {
			op := comparison
			if negated {
				op = "=="
			}
			e.tests[sym] = test{x.sym, op, n}
			if known, truth := e.implied(s, e.tests[sym]); known {
				return e.condition(s, sym, negated).known(truth != negated)
			}
		}
		return e.condition(s, sym, negated)
	}
	return e.opaque(s)
}

func (v value) known(truth bool) value {
	if truth {
		return value{bits: yes}
	}
	return value{bits: no}
}

// reunites notes a comparison of a value that was put into a pool with one that came
// from it: they may be the same.
func (e *engine) reunites(s *state, x, y value) {
	for _, pair := range [][2]value{{x, y}, {y, x}} {
		for _, r := range pair[0].refs {
			if st := s.objs[r.obj]; st.dead != 0 && len(pair[1].refs) > 0 {
				st.lost = true
				s.objs[r.obj] = st
			}
		}
	}
}

// mayBeNil reports whether a value is memory from outside, which may not be there.
func (e *engine) mayBeNil(v value) bool {
	for _, r := range v.refs {
		o := e.objects[r.obj]
		isError := strings.HasPrefix(strings.ToLower(o.name), "err") || o.name == "EOF"
		if o.of != nil && isError && strings.HasPrefix(o.key, "global ") {
			continue
		}
		if r.path == "" && (o.outside || o.of != nil) {
			return true
		}
	}
	return false
}

// condition is the value of a condition with a symbol, which is negative if it is
// negated.
func (e *engine) condition(s *state, sym int, negated bool) value {
	if truth, ok := s.conds[sym]; ok {
		return value{}.known(truth != negated)
	}
	if negated {
		sym = -sym
	}
	return value{sym: sym}
}

// opaque is a new value that nothing is known about.
func (e *engine) opaque(s *state) value {
	sym := e.sym("v" + e.here())
	e.forget(s, sym)
	return value{sym: sym}
}

// forget removes what is known about a value that is computed again.
func (e *engine) forget(s *state, sym int) {
	delete(s.conds, sym)
	for c := range s.conds {
		for _, b := range e.bases[c] {
			if b == sym {
				delete(s.conds, c)
				break
			}
		}
	}
}

// implied reports whether the tests that are decided decide another one.
func (e *engine) implied(s *state, t test) (known, truth bool) {
	lo, hi := int64(-1<<62), int64(1<<62)
	for c, holds := range s.conds {
		u, ok := e.tests[c]
		if !ok || u.sym != t.sym {
			continue
		}
		op := u.op
		if !holds {
			op = map[string]string{"==": "!=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op]
		}
		switch op {
		case "==":
			lo, hi = max(lo, u.n), min(hi, u.n)
		case "<":
			hi = min(hi, u.n-1)
		case "<=":
			hi = min(hi, u.n)
		case ">":
			lo = max(lo, u.n+1)
		case ">=":
			lo = max(lo, u.n)
		}
	}
	return t.within(lo, hi)
}

// within reports whether all values between two numbers, or none, pass the test.
func (t test) within(lo, hi int64) (known, truth bool) {
	switch t.op {
	case "==":
		return t.n < lo || t.n > hi || lo == hi, lo == hi && lo == t.n
	case "<":
		return hi < t.n || lo >= t.n, hi < t.n
	case "<=":
		return hi <= t.n || lo > t.n, hi <= t.n
	case ">":
		return lo > t.n || hi <= t.n, lo > t.n
	case ">=":
		return lo >= t.n || hi < t.n, lo >= t.n
	}
	return false, false
}

// branch follows the successors of a block to which a condition may lead.
func (e *engine) branch(s *state, in *Instr, block *Block, enter func(*state, int)) {
	v := e.operand(s, in.X[0])
	sym, negated := v.sym, false
	if sym < 0 {
		sym, negated = -sym, true
	}
	_, decided := s.conds[sym]
	for i, truth := range []bool{true, false} {
		if truth && v.bits == no || !truth && v.bits == yes {
			continue
		}
		next := s
		if i == 0 && v.bits != yes {
			next = s.clone()
		}
		if sym != 0 && v.bits&(yes|no) == 0 {
			if known, ok := next.conds[sym]; ok && known != (truth != negated) {
				continue
			}
			next.conds[sym] = truth != negated
			if !decided && e.otherHolders(sym, truth != negated) {
				continue
			} else if !decided {
				e.sharedBy(next, sym)
			}
		}
		if ended := e.unfinished[sym]; sym != 0 && len(ended) > 0 && truth == negated {
			next.threads = slices.DeleteFunc(slices.Clone(next.threads), func(t *thread) bool { return slices.Contains(ended, t.at) })
		}
		e.refine(next, in.X[0], truth)
		if !truth {
			e.leavesLoop(next, s.top().code, block)
		}
		enter(next, block.Succs[i])
	}
}

// refine narrows the value that a branch compared with nil.
func (e *engine) refine(s *state, cond Operand, truth bool) {
	code := s.top().code
	def := code.definition(cond)
	for def != nil && def.Op == Not {
		def, truth = code.definition(def.X[0]), !truth
	}
	if def == nil || def.Op != Compare || def.Name != "==" && def.Name != "!=" {
		return
	}
	isNil := truth == (def.Name == "==")
	for i := range 2 {
		if other := e.operand(s, def.X[1-i]); !other.definitelyNil() || def.X[i] < 0 {
			continue
		}
		read := s.top().reg(def.X[i])
		v := read
		switch {
		case isNil:
			v = value{bits: null}
		case len(v.refs) > 0:
			v.bits &^= null
		}
		s.top().put(def.X[i], v)
		// The variable that was read has the same value, unless it was set since.
		if load := code.definition(def.X[i]); load != nil && load.Op == Load && !load.Flag {
			if at := e.operand(s, load.X[0]); len(at.refs) == 1 {
				c := cell(at.refs[0])
				if old, ok := s.cells[c]; ok && len(old.refs) > 0 && slices.Equal(old.refs, read.refs) {
					if isNil {
						s.cells[c] = value{bits: null}
					} else {
						old.bits &^= null
						s.cells[c] = old
					}
				}
			}
		}
	}
}

// definition returns the instruction that sets a register.
func (c *Code) definition(r Operand) *Instr {
	if r < 0 || r == none {
		return nil
	}
	if c.defs == nil {
		c.defs = make([]*Instr, c.Regs)
		for _, in := range c.instrs() {
			if in.Dst != none {
				c.defs[in.Dst] = in
			}
		}
	}
	return c.defs[r]
}
