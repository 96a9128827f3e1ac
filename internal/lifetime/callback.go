package lifetime

import "strings"

// maxRounds bounds how often code that is not followed calls a function. Three rounds
// let a fault span two of them, with another one between.
const maxRounds = 4

// callBack lets code that is not followed call the functions among values, none or
// several times, with values of a content.
func (e *engine) callBack(s *state, values []value, content value) []*state {
	var fns []target
	for _, v := range values {
		all, _ := e.targets(s, v)
		for _, t := range all {
			if e.program.code(t.name) != nil {
				fns = append(fns, t)
			}
		}
	}
	states := []*state{s}
	if len(fns) == 0 {
		return states
	}
	seen := map[string]bool{s.key(): true}
	last := states
	for range maxRounds {
		var next []*state
		for _, s := range last {
			for _, t := range fns {
				for _, after := range e.callOnce(s.clone(), t, content) {
					if key := after.key(); !seen[key] && len(states) < maxExits {
						seen[key] = true
						next, states = append(next, after), append(states, after)
					}
				}
			}
		}
		last = next
	}
	return states
}

// callFirst lets code that is not followed call the first function among values once.
func (e *engine) callFirst(s *state, values []value, content value) []*state {
	for _, v := range values {
		all, _ := e.targets(s, v)
		for _, t := range all {
			if e.program.code(t.name) == nil {
				continue
			}
			if out := e.callOnce(s.clone(), t, content); len(out) > 0 {
				return out
			}
		}
	}
	return []*state{s}
}

func (e *engine) callOnce(s *state, t target, content value) []*state {
	code := e.program.code(t.name)
	args := append([]value{}, t.before...)
	for i := len(t.before); i < len(code.Params)-len(t.after); i++ {
		switch {
		case code.Params[i].Class == Scalar:
			args = append(args, e.opaqueAs(s, code.Params[i].Name))
		case len(content.parts) > 0:
			args = append(args, content.parts[min(i-len(t.before), len(content.parts)-1)])
		default:
			args = append(args, content)
		}
	}
	stack := e.where()
	out, ok := e.inline(s, code, append(args, t.after...), none)
	e.stack = append(e.stack[:0], stack...)
	if !ok {
		return nil
	}
	return out
}

// opaqueAs is a new scalar with a name.
func (e *engine) opaqueAs(s *state, name string) value {
	sym := e.sym("given " + name + e.here())
	e.forget(s, sym)
	return value{sym: sym}
}

// isFunction reports whether a value may be a function that is known.
func (e *engine) isFunction(s *state, v value) bool {
	all, _ := e.targets(s, v)
	return len(all) > 0
}

// ranges follows a loop over a function: the loop's body is called none or several
// times, before the function returns.
func (e *engine) ranges(s *state, fn value, body value) []*state {
	return e.callBack(s, []value{body}, e.yields(s, fn))
}

// yields are the values that an iterator of a library yields.
func (e *engine) yields(s *state, fn value) value {
	all := value{bits: other}
	key := all
	for _, r := range fn.refs {
		base, isMap := strings.CutSuffix(r.path, pairs)
		held := s.cells[cell{r.obj, ".held"}]
		switch o := e.objects[r.obj]; {
		case isMap:
			at := to(ref{r.obj, base})
			all = union(all, e.load(s, at.at(elements), Reference, ""))
			key = union(key, e.load(s, at.at(keys), Reference, ""))
		case o.typ == "?":
			all = union(all, e.load(s, held.at(elements), Reference, ""))
		case o.kind != closure:
			all = union(all, to(r))
			key = all
		}
	}
	all.bits |= fn.bits & lost
	return value{parts: []value{key, all}}
}

// strange follows a call of unknown code with functions among its arguments: it may
// call them, and do more.
func (e *engine) strange(s *state, in *Instr, name string, args []value, dst Operand) []*state {
	if len(in.vals) > 0 && in.vals[0] != nil && typeName(in.vals[0].Type()) == "context.CancelCauseFunc" && len(args) == 1 {
		e.uses(s, args[0], none, kept) // the context keeps the cause
		e.store(s, to(ref{e.library(), ""}).at(elements), args[0], Reference)
		return []*state{s}
	}
	states := []*state{s}
	if e.hasFunction(s, args) {
		alive := map[int]bool{}
		for o, st := range s.objs {
			alive[o] = st.dead == 0
		}
		states = e.callBack(s, args, value{bits: other})
		for _, after := range states {
			for o, st := range after.objs {
				if alive[o] && st.dead != 0 { // whether it was called is not known
					st.lost = true
					after.objs[o] = st
				}
			}
		}
	}
	for _, s := range states {
		e.unknown(s, in, name, args, dst)
	}
	return states
}

func (e *engine) hasFunction(s *state, args []value) bool {
	for _, a := range args {
		if e.isFunction(s, a) {
			return true
		}
	}
	return false
}

// parallel reports whether a subtest among the arguments runs beside the others, when
// its test has returned.
func (e *engine) parallel(s *state, args []value) bool {
	for _, a := range args {
		all, _ := e.targets(s, a)
		for _, t := range all {
			if code := e.program.code(t.name); code != nil {
				for name := range code.mentions() {
					if name == "(*testing.T).Parallel" {
						return true
					}
				}
			}
		}
	}
	return false
}
