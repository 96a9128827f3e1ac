package lifetime

import "strings"

// ofPool is the cell of a pooled value with the pool that it came from.
const ofPool = ".%pool"

// mixesPools reports a value that is put into another variable's pool than it came from. Where its
// length or capacity decides, the pools are for different sizes.
func (e *engine) mixesPools(s *state, in *Instr, args []value) {
	if len(args[1].refs) != 1 || args[1].refs[0].path != "" || args[1].bits&lost != 0 || e.thread != nil {
		return
	}
	from, into := s.cells[cell{args[1].refs[0].obj, ofPool}], args[0]
	if !e.isVariable(from) || !e.isVariable(into) || from.refs[0] == into.refs[0] {
		return
	}
	for _, p := range e.stack {
		if p.code.sizes(p.in) {
			return
		}
	}
	e.fault(s, &candidate{kind: Pool, at: e.where(), obj: args[1].refs[0].obj,
		name: e.nameAt(s, e.x(1), args[1].refs[0].obj), text: "%s is put into another pool than it came from"})
}

// isVariable reports whether a value is surely the address of one variable of the package.
func (e *engine) isVariable(v value) bool {
	return len(v.refs) == 1 && v.bits == 0 && v.refs[0].path == "" &&
		strings.HasPrefix(e.objects[v.refs[0].obj].key, "global "+e.program.pass.Pkg.Path()+".")
}

// sizes reports whether a length or a capacity decides whether an instruction runs.
func (c *Code) sizes(in *Instr) bool {
	to, ok := c.spotOf(in)
	for b, cond := range c.branches() {
		if !ok || b == to.block || !c.dominates(b, to.block) || c.always(b, to.block) {
			continue
		}
		def := c.definition(cond)
		if def != nil && def.Op == Compare && (c.measures(def.X[0], 0) || c.measures(def.X[1], 0)) {
			return true
		}
	}
	return false
}
