package lifetime

import "strings"

// maxRounds bounds how often code that is not followed calls a function. Three rounds
// let a fault span two of them, with another one between.
const maxRounds = 4

// callBack lets code that is not followed call the functions among values, none or
// several times, with values of a content.
func (e *engine) callBack(s *state, values []value, content value) []*state {
	return e.rounds(s, values, content, func(exit) bool { return true })
}

// rounds is callBack with a function that reports whether another round follows the one that
// ends in a state.
func (e *engine) rounds(s *state, values []value, content value, another func(exit) bool) []*state {
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
	seen := map[digest]bool{s.key(): true}
	last := states
	for range maxRounds {
		var next []*state
		for _, s := range last {
			for _, t := range fns {
				for _, after := range e.callOnce(s.clone(), t, content) {
					if key := after.s.key(); !seen[key] && len(states) < maxExits {
						seen[key] = true
						states = append(states, after.s)
						if another(after) {
							next = append(next, after.s)
						}
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
			if exits := e.callOnce(s.clone(), t, content); len(exits) > 0 {
				out := make([]*state, len(exits))
				for i, x := range exits {
					out[i] = x.s
				}
				return out
			}
		}
	}
	return []*state{s}
}

func (e *engine) callOnce(s *state, t target, content value) []exit {
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
	out, _ := e.exits(s, code, append(args, t.after...))
	e.stack = append(e.stack[:0], stack...)
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
	stack := e.where()
	return e.rounds(s, []value{body}, e.yields(s, fn), func(x exit) bool {
		if len(x.results) == 1 && x.results[0].bits == no && x.results[0].sym == 0 {
			return false
		}
		for _, r := range fn.refs { // a Map is read in each round
			if base, isMap := strings.CutSuffix(r.path, pairs); isMap {
				e.stack = append(e.stack[:0], stack...)
				e.uses(x.s, to(ref{r.obj, base}), none, read)
			}
		}
		return true
	})
}

// collecting is the name of the function to which an iterator yields the values of a list.
const collecting = "yield to a list"

// collects lets a library run an iterator, and returns the states with the list of its
// values, which lies in memory of its own.
func (e *engine) collects(s *state, in *Instr, iterator value, dst Operand) []*state {
	list, yield := e.fresh(s, "collected"), e.fresh(s, "yield")
	yield.kind, yield.code = closure, collecting
	s.cells[cell{yield.id, "$0"}] = to(ref{list.id, ""})
	e.set(s, dst, to(ref{list.id, ""})) // so that the list is not forgotten meanwhile
	states := e.callFirst(s, []value{iterator}, to(ref{yield.id, ""}))
	for _, next := range states {
		if in.Number != 1 || in.Class == Scalar {
			e.set(next, dst, e.resultOf(next, in))
		}
	}
	return states
}

// yields are the values that an iterator of a library yields.
func (e *engine) yields(s *state, fn value) value {
	all := value{bits: other}
	key := all
	for _, r := range fn.refs {
		base, isMap := strings.CutSuffix(r.path, pairs)
		held := s.cells[cell{r.obj, ".%held"}]
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
