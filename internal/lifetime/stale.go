package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// staleFields reports reads of a field of a pooled value that some paths set after Get and
// others do not, so that they read the value of the last user. Fields that the function
// looks at before it sets them remember something on purpose.
func (p *program) staleFields(codes []*Code) {
	for _, c := range codes {
		for at, in := range c.instrs() {
			if in.Op == Move && in.Name == "assert" && !in.Flag && strings.HasPrefix(in.Type, "*") {
				if get := c.definition(in.X[0]); get != nil && get.Op == Call && get.Name == "(*sync.Pool).Get" {
					p.staleIn(c, at, in.Dst)
				}
			}
		}
	}
}

// fieldUses are the places at which a function stores and loads a field of a pooled value, and
// calls functions that may load it or set it.
type fieldUses struct{ stores, loads, calls, setters []spot }

// staleIn looks at the fields of a pooled value in a register, which one instruction sets.
func (p *program) staleIn(c *Code, from spot, reg Operand) {
	fields := map[string]*fieldUses{}
	addresses := map[Operand]string{}
	var put *Instr
	var wholes []spot // loads of all fields
	for at, in := range c.instrs() {
		name, isField := "", false
		if len(in.X) > 0 {
			name, isField = addresses[in.X[0]]
		}
		switch {
		case in.Op == Field && in.X[0] == reg:
			if fields[in.Name] == nil {
				fields[in.Name] = &fieldUses{}
			}
			addresses[in.Dst] = in.Name
		case in.Op == Load && in.X[0] == reg:
			wholes = append(wholes, at)
		case in.Op == Wrap && in.X[0] == reg && c.onlyPut(in.Dst):
			put = c.uses(in.Dst)[0]
		case (in.Op == Call || in.Op == Defer) && !in.Flag && p.reads(in, reg, at, fields):
		case slices.Contains(in.X, reg): // it may set any field
			return
		case in.Op == Load && isField:
			fields[name].loads = append(fields[name].loads, at)
		case in.Op == Store && isField && in.X[0] != in.X[1]:
			fields[name].stores = append(fields[name].stores, at)
		default:
			for _, x := range in.X {
				if name, ok := addresses[x]; ok { // other code has the address
					fields[name] = &fieldUses{}
					delete(addresses, x)
				}
			}
		}
	}
	if put == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		if !f.unset(c) {
			continue
		}
		for _, loads := range [][]spot{f.loads, wholes} {
			set := slices.ContainsFunc(loads, func(l spot) bool { return f.isSet(c, l) })
			i := slices.IndexFunc(loads, func(l spot) bool { return set && f.mayBeUnset(c, from, l) })
			if i < 0 {
				continue
			}
			read := p.pass.Fset.Position(c.Blocks[loads[i].block].Instrs[loads[i].index].src.Pos()).Line
			p.faults = append(p.faults, Fault{Kind: Pool, Pos: put.src.Pos(), Message: fmt.Sprintf(
				"the pooled value keeps its field %s, which its next user may read in line %d without having set it", name[1:], read)})
			return
		}
	}
}

// reads notes the fields that a function of the package reads and sets of a pooled value that it is
// given, as a method that resets the value does. It reports false if the function may do more with it.
func (p *program) reads(call *Instr, reg Operand, at spot, fields map[string]*fieldUses) bool {
	callee, i := p.codes[call.Name], slices.Index(call.X, reg)
	if callee == nil || callee.Long || i < 1 || slices.Contains(call.X[i+1:], reg) {
		return false
	}
	given := Operand(i - 1)
	for in, use := range callee.instrs() {
		if !slices.Contains(use.X, given) {
			continue
		}
		if use.Op != Field {
			return false
		}
		loads, sets := false, false
		for _, u := range callee.uses(use.Dst) {
			isStore := u.Op == Store && u.X[1] != use.Dst
			if loads, sets = loads || u.Op == Load, sets || isStore; u.Op != Load && !isStore {
				return false
			}
		}
		if fields[use.Name] == nil {
			fields[use.Name] = &fieldUses{}
		}
		f := fields[use.Name]
		if sets {
			f.setters = append(f.setters, at)
		}
		if !loads {
			continue
		}
		if f.calls = append(f.calls, at); callee.always(0, in.block) || in.block == 0 {
			f.loads = append(f.loads, at)
		}
	}
	return true
}

// onlyPut reports whether an interface is only put into a pool.
func (c *Code) onlyPut(reg Operand) bool {
	for _, use := range c.uses(reg) {
		if use.Name != "(*sync.Pool).Put" {
			return false
		}
	}
	return true
}

// unset reports whether a field of text or numbers is set to something else than its zero,
// and read before no store.
func (f *fieldUses) unset(c *Code) bool {
	set := false
	for _, s := range f.stores {
		in := &c.Blocks[s.block].Instrs[s.index]
		set = set || in.X[1] >= 0 || c.Consts[^in.X[1]].Kind == True
		if in.Class != Scalar && in.Class != Text {
			return false
		}
	}
	for _, s := range slices.Concat(f.stores, f.setters) {
		for _, l := range slices.Concat(f.loads, f.calls) {
			if c.follows(l, s) {
				return false
			}
		}
	}
	return set
}

// isSet reports whether a store may come before a load.
func (f *fieldUses) isSet(c *Code, load spot) bool {
	return slices.ContainsFunc(f.stores, func(s spot) bool { return c.follows(s, load) })
}

// mayBeUnset reports whether a path from Get to a load has no store.
func (f *fieldUses) mayBeUnset(c *Code, from, load spot) bool {
	blocked, here := map[int]bool{}, c.conditions(load.block)
	for _, s := range slices.Concat(f.stores, f.setters) {
		for condition := range c.conditions(s.block) {
			if here[condition] { // it was set if it is read
				return false
			}
		}
		if s.block == load.block && s.index < load.index || s.block == from.block && s.index > from.index {
			return false
		}
		blocked[s.block] = true
	}
	seen, queue := map[int]bool{}, []int{from.block}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if b == load.block {
			return true
		}
		for _, next := range c.Blocks[b].Succs {
			if !seen[next] && (!blocked[next] || next == load.block) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// conditions are the texts of the conditions under which a block runs.
func (c *Code) conditions(block int) map[string]bool {
	all := map[string]bool{}
	for _, g := range c.guards(block) {
		all[fmt.Sprint(c.expression(g.cond, 0), g.truth)] = true
	}
	return all
}

// expression is the text of a value, the same for values that are computed alike.
func (c *Code) expression(x Operand, depth int) string {
	if x < 0 {
		return fmt.Sprint(c.Consts[^x])
	}
	def := c.definition(x)
	if def == nil || depth > 4 || def.Op != Compare && def.Op != Load && def.Op != Field && def.Op != Not {
		return fmt.Sprint("r", x)
	}
	text := fmt.Sprint(def.Op, def.Name)
	for _, x := range def.X {
		text += " " + c.expression(x, depth+1)
	}
	return "(" + text + ")"
}

// follows reports whether one place can be reached from another one.
func (c *Code) follows(from, to spot) bool {
	return from.block == to.block && from.index < to.index || c.reaches(from.block, to.block, -1)
}
