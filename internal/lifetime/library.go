package lifetime

import (
	"fmt"
	"strings"
	"sync"
)

// A manner is how a function of a library treats its arguments.
type manner uint8

const (
	reads     manner = iota + 1 // keeps nothing, and returns something new
	aliases                     // returns memory of an argument
	copies                      // returns a new list or map with the same elements
	registers                   // calls its arguments when all is done
	holds                       // returns something that refers to the arguments
	keeps                       // lets the first argument refer to the others
	calls                       // calls its arguments before it returns
	spawns                      // calls them in a goroutine
	later                       // calls them some time
	fetches                     // returns what the receiver keeps
	takes                       // takes something out of its receiver
	retargets                   // keeps, and forgets what the receiver kept
	waiting                     // waits for other goroutines
	locking                     // orders the uses of goroutines
	unclear                     // returns memory of an argument, or a copy
)

// contracts are the manners by the beginnings of names.
var contracts = sync.OnceValue(func() map[string]manner {
	all := map[string]manner{}
	for m, names := range manners {
		for name := range strings.FieldsSeq(names) {
			all[name] = m
		}
	}
	return all
})

func mannerOf(name string) manner {
	best, found := 0, manner(0)
	for prefix, m := range contracts() {
		if len(prefix) > best && strings.HasPrefix(name, prefix) {
			best, found = len(prefix), m
		}
	}
	return found
}

// behave is the effect of a function with a manner.
func behave(m manner) effect {
	return func(e *engine, s *state, in *Instr, args []value, dst Operand) []*state {
		if in.Name == "fmt.Errorf" { // only the errors that it wraps are kept
			for i, a := range args[:2] {
				e.uses(s, a, e.x(i), passed)
				e.usesList(s, a, passed)
			}
			args = args[2:]
		}
		how := passed
		if m == keeps || m == retargets || m == later {
			how = kept
		}
		for i, a := range args {
			e.uses(s, a, e.x(i), how)
			e.usesList(s, a, how)
		}
		switch m {
		case registers:
			for _, a := range args {
				e.held(s, a)
			}
		case spawns, later:
			if len(args) > 0 {
				e.goes(s, in, args[len(args)-1], "", nil)
				if m == later {
					e.store(s, to(ref{e.library(), ""}).at(elements), args[len(args)-1], Reference)
				}
			}
		case waiting:
			e.waits(s, false)
		case locking:
			if e.thread != nil {
				e.excludes = true
			} else if strings.HasSuffix(in.Name, "Lock") {
				s.threads = nil
				e.elsewhere(s)
			}
		case calls:
			states := e.callBack(s, in, args)
			for _, s := range states {
				e.set(s, dst, e.resultOf(s, in))
			}
			return states
		}
		v := e.resultOf(s, in)
		given := value{}
		for _, a := range args {
			given = union(given, value{refs: a.refs, bits: a.bits & lost})
		}
		put := func(r value) {
			if len(r.refs) == 0 {
				return
			}
			if in.Number > 1 {
				for i := range v.parts {
					v.parts[i] = r
					if m == holds && i > 0 || i == in.Number-1 && m == aliases {
						v.parts[i] = value{bits: other, sym: e.sym(fmt.Sprint("r", e.here(), i))}
					}
				}
			} else if in.Number == 1 {
				v = r
			}
		}
		switch m {
		case aliases:
			r := given.at(partly)
			for _, a := range args {
				if e.holder(a) {
					r = union(r, e.load(s, a.at(".held"), Reference, ""))
				}
			}
			put(r)
		case copies:
			o := e.fresh(s, "copies")
			for _, r := range given.refs {
				e.copyCells(s, r, ref{o.id, ""})
			}
			put(to(ref{o.id, ""}))
		case holds:
			o := e.fresh(s, "holds")
			o.typ = "?"
			if len(given.refs) > 0 {
				s.cells[cell{o.id, ".held"}] = given
				s.origin[cell{o.id, ".held"}] = e.where()
			}
			put(to(ref{o.id, ""}))
		case keeps, retargets:
			if len(args) > 1 {
				rest := value{}
				for _, a := range args[1:] {
					rest = union(rest, value{refs: a.refs, bits: a.bits & lost})
				}
				if m == retargets {
					e.store(s, args[0].at(".held"), rest, Reference)
				} else if len(rest.refs) > 0 {
					e.store(s, args[0].at(".held"+elements), rest, Reference)
				}
			}
		case takes:
			if len(args) > 0 {
				e.store(s, args[0].at(".held"+elements), value{bits: lost}, Reference)
			}
		case fetches:
			if len(args) > 0 && len(args[0].refs) > 0 {
				r := value{bits: other | lost}
				if strings.HasSuffix(in.Name, ".Header") || strings.HasSuffix(in.Name, ".Context") {
					r = e.load(s, args[0].at(".own"), Reference, "")
				}
				put(r)
			}
		case unclear:
			if len(given.refs) > 0 {
				put(value{bits: other | lost})
			}
		}
		e.set(s, dst, v)
		return []*state{s}
	}
}

// holder reports whether a value is a reader or the like of other memory.
func (e *engine) holder(v value) bool {
	for _, r := range v.refs {
		if e.objects[r.obj].typ == "?" {
			return true
		}
	}
	return false
}

// library stands for what libraries keep.
func (e *engine) library() int {
	o := e.object("global library")
	o.outside, o.name = true, "the library"
	return o.id
}

// callBack lets a library call the functions among its arguments, none or several times.
func (e *engine) callBack(s *state, in *Instr, args []value) []*state {
	states := []*state{s}
	for i, a := range args {
		if all, _ := e.targets(s, a); len(all) == 0 {
			continue
		}
		content := value{bits: other}
		if i > 0 {
			content = union(content, e.load(s, args[0].at(elements), Reference, ""))
		}
		many := make([]value, 8)
		for i := range many {
			many[i] = content
		}
		var next []*state
		for _, s := range states {
			stack := e.where()
			all, _ := e.targets(s, a)
			for _, t := range all {
				code := e.program.code(t.name)
				if code == nil {
					next = append(next, s)
					continue
				}
				n := len(code.Params) - len(t.before) - len(t.after)
				with := append(append(append([]value{}, t.before...), many[:max(0, min(n, 8))]...), t.after...)
				if out, ok := e.inline(s, code, with, none); ok {
					next = append(next, out...)
				} else {
					next = append(next, s)
				}
				e.stack = append(e.stack[:0], stack...)
			}
		}
		states = next
	}
	return states
}

// builtins returns the functions of the language.
func builtins() map[string]effect {
	return map[string]effect{
		"append": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			o := e.fresh(s, "append")
			v := to(ref{o.id, ""})
			if len(args) > 1 {
				e.uses(s, args[1], e.x(1), passed)
			}
			if len(args) > 1 && in.Type == "references" {
				added := e.load(s, args[1].at(elements), Reference, "")
				before := e.load(s, args[0].at(elements), Reference, "")
				if len(added.refs) > 0 {
					e.store(s, args[0].at(elements), value{refs: added.refs}, Reference)
				}
				if all := union(before, added); len(all.refs) > 0 {
					e.store(s, v.at(elements), value{refs: all.refs, bits: all.bits & lost}, Reference)
				}
			}
			return value{refs: union(v, args[0]).refs, bits: args[0].bits & lost}
		}),
		"copy": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			e.uses(s, args[1], e.x(1), passed)
			if v := e.load(s, args[1].at(elements), Reference, ""); len(v.refs) > 0 && in.Type == "references" {
				e.store(s, args[0].at(elements), value{refs: v.refs}, Reference)
			}
			return e.opaque(s)
		}),
		"len": simple(func(e *engine, s *state, in *Instr, args []value) value { return e.opaque(s) }),
		"cap": simple(func(e *engine, s *state, in *Instr, args []value) value { return e.opaque(s) }),
		"delete": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			e.store(s, args[0].at(elements), value{bits: lost}, Reference)
			e.store(s, args[0].at(keys), value{bits: lost}, Reference)
			return value{}
		}),
		"clear": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			e.store(s, args[0].at(elements), value{bits: lost}, Reference)
			e.store(s, args[0].at(keys), value{bits: lost}, Reference)
			return value{}
		}),
		"close": simple(func(e *engine, s *state, in *Instr, args []value) value {
			if e.thread != nil {
				// Whoever waits for it does so elsewhere.
				return value{}
			}
			return value{}
		}),
		"print": behave(reads), "println": behave(reads),
		"cmp.Or": simple(func(e *engine, s *state, in *Instr, args []value) value {
			v := e.load(s, args[0].at(elements), Reference, "")
			if len(v.refs) > 0 && !e.mayBeNil(value{refs: v.refs}) { // one of them is not nil
				return value{refs: v.refs}
			}
			return e.resultOf(s, in)
		}),
		"recover": simple(func(e *engine, s *state, in *Instr, args []value) value { return e.resultOf(s, in) }),
		"min":     behave(reads), "max": behave(reads), "real": behave(reads), "imag": behave(reads), "complex": behave(reads),
		"String": simple(alias), "StringData": simple(alias), "Slice": simple(alias), "SliceData": simple(alias),
		"Add":            simple(alias),
		"ssa:wrapnilchk": simple(func(e *engine, s *state, in *Instr, args []value) value { return args[0] }),
	}
}

func alias(e *engine, s *state, in *Instr, args []value) value { return args[0].at(partly) }

// poolEffects returns the methods of sync.Pool.
func poolEffects() map[string]effect {
	return map[string]effect{
		"(*sync.Pool).Get": simple(func(e *engine, s *state, in *Instr, args []value) value {
			o := e.fresh(s, "pooled")
			s.objs[o.id] = status{pooled: true}
			return to(ref{o.id, ""})
		}),
		"(*sync.Pool).Put": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.puts(s, args[1], e.x(1))
			return value{}
		}),
	}
}
