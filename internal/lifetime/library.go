package lifetime

import (
	"fmt"
	"go/types"
	"strings"
	"sync"
)

// A contract is how a function of a library treats its arguments.
type contract uint8

const (
	reads     contract = iota + 1 // keeps nothing, and returns something new
	aliases                       // returns memory of an argument
	appends                       // returns memory of the slice to which it appends
	chains                        // returns its receiver, if the type is the same
	hands                         // gives its arguments to a goroutine that nothing waits for
	signals                       // lets other goroutines know how far this one is
	copies                        // returns a new list or map with the same elements
	registers                     // calls its arguments when all is done
	holds                         // returns something that refers to the arguments
	keeps                         // lets the first argument refer to the others
	calls                         // calls its arguments before it returns
	spawns                        // calls them in a goroutine
	later                         // calls them some time
	fetches                       // returns what the receiver keeps
	takes                         // takes something out of its receiver
	retargets                     // keeps, and forgets what the receiver kept
	waiting                       // waits for other goroutines
	locking                       // orders the uses of goroutines
	counting                      // does so, and may change a number of holders
	unclear                       // returns memory of an argument, or a copy
)

// contracts are the contracts by the beginnings of names.
var contracts = sync.OnceValue(func() map[string]contract {
	all := map[string]contract{}
	for m, names := range libraryContracts {
		for name := range strings.FieldsSeq(names) {
			all[name] = m
		}
	}
	return all
})

func contractOf(name string) contract {
	best, found := 0, contract(0)
	for prefix, m := range contracts() {
		if len(prefix) > best && strings.HasPrefix(name, prefix) {
			best, found = len(prefix), m
		}
	}
	return found
}

// behave is the effect of a function with a contract.
func behave(m contract) effect {
	if m == counting {
		return atomicCount
	}
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
			e.writes(s, a, e.x(i))
		}
		switch m {
		case registers:
			for _, a := range args {
				e.held(s, a)
			}
		case spawns, later:
			if len(args) > 0 {
				group := value{}
				if strings.HasSuffix(in.Name, ").Go") {
					group = args[0]
				}
				e.goes(s, in, args[len(args)-1], "", nil, group)
				if in.Name == "context.AfterFunc" {
					stop := e.fresh(s, "stop")
					stop.kind, stop.code = closure, "context.AfterFunc.stop"
					e.set(s, dst, to(ref{stop.id, ""}))
					return []*state{s}
				}
				if m == later {
					e.everyRequest(s)
					e.store(s, to(ref{e.library(), ""}).at(elements), args[len(args)-1], Reference)
				}
			}
		case signals:
			e.signals(args[0])
		case hands:
			for _, o := range e.reached(s, args...) {
				if s.objs[o].pooled && e.thread == nil {
					s.sent[ref{o, ""}] = e.where()
				}
			}
		case waiting:
			by := value{}
			if strings.HasSuffix(in.Name, ").Wait") && len(args) > 0 && !strings.Contains(in.Name, "Cond") {
				by = args[0]
			}
			e.waits(s, by)
		case locking:
			e.locking(s, in, args)
		case calls:
			if parallel := e.parallel(s, args); parallel {
				e.goes(s, in, args[len(args)-1], "", nil, value{})
				break
			}
			content := value{bits: other}
			if len(args) > 1 && !e.isFunction(s, args[0]) {
				content = union(content, e.load(s, args[0].at(elements), Reference, ""))
			}
			var states []*state
			if in.Name == "(*sync.Once).Do" || strings.HasSuffix(in.Name, ").Run") {
				states = e.callFirst(s, args, content)
			} else {
				states = e.callBack(s, args, content)
			}
			for _, s := range states {
				e.set(s, dst, e.resultOf(s, in))
			}
			return states
		}
		if (m == copies || m == reads) && strings.HasPrefix(in.Name, "slices.") || strings.HasPrefix(in.Name, "maps.") {
			if iterator := e.iterator(s, args); len(iterator.refs) > 0 { // it runs the iterator
				return e.collects(s, in, iterator, dst)
			}
		}
		if m == aliases && e.hasFunction(s, args) {
			content := e.load(s, args[0].at(elements), Reference, "")
			states := e.callBack(s, args, content)
			for _, next := range states {
				e.set(next, dst, value{refs: args[0].refs, bits: args[0].bits})
			}
			return states
		}
		v := e.resultOf(s, in)
		given := value{}
		for _, a := range args {
			given = union(given, value{refs: a.refs, bits: a.bits & lost})
		}
		put := func(r value) {
			if len(r.refs) == 0 || in.Number == 1 && in.Class == Scalar {
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
			r := given
			e.rearranged(s, given, false)
			if !strings.HasPrefix(in.Name, "slices.") {
				r = given.at(partly)
			}
			for _, a := range args {
				if e.holder(a) {
					r = union(r, e.load(s, a.at(".%held"), Reference, ""))
				}
			}
			put(r)
		case appends:
			onto := args[0]
			if strings.HasPrefix(in.Name, "(") && len(args) > 1 {
				onto = args[1]
			}
			put(value{refs: onto.refs, bits: onto.bits & lost})
		case chains:
			if len(args) > 0 && strings.HasPrefix(in.Name, "("+in.Type+")") {
				put(value{refs: args[0].refs, bits: args[0].bits})
			}
		case copies:
			o := e.fresh(s, "copies")
			for _, r := range given.refs {
				r.path = strings.TrimSuffix(r.path, pairs)
				if e.objects[r.obj].kind != closure { // what a function yields is not known
					e.copyCells(s, r, ref{o.id, ""})
				}
			}
			put(to(ref{o.id, ""}))
		case holds:
			put(e.holding(s, given))
		case keeps, retargets:
			if len(args) > 1 {
				rest := value{}
				for _, a := range args[1:] {
					rest = union(rest, value{refs: a.refs, bits: a.bits & lost})
				}
				if m == retargets {
					e.store(s, args[0].at(".%held"), rest, Reference)
				} else if len(rest.refs) > 0 {
					e.store(s, args[0].at(".%held"+elements), rest, Reference)
				}
			}
		case takes:
			if len(args) > 0 {
				e.store(s, args[0].at(".%held"+elements), value{bits: lost}, Reference)
			}
		case fetches:
			if len(args) > 0 && len(args[0].refs) > 0 {
				r := value{bits: other | lost}
				if strings.HasSuffix(in.Name, ".Header") || strings.HasSuffix(in.Name, ".Context") {
					r = e.load(s, args[0].at(".%own"), Reference, "")
				}
				put(r)
			}
		case unclear:
			if len(given.refs) > 0 {
				put(value{bits: other | lost})
			}
		}
		if m == retargets && takesOut(in.Name) && e.thread == nil && in.isRead() {
			if owner, ok := e.takenOf(s, in.Type); ok {
				v = value{refs: owner.refs, bits: null}
			}
		}
		e.set(s, dst, v)
		return []*state{s}
	}
}

// iterator is the first argument if it is an iterator, a function that takes one function.
func (e *engine) iterator(s *state, args []value) value {
	if len(args) == 0 {
		return value{}
	}
	all, _ := e.targets(s, args[0])
	for _, t := range all {
		if code := e.program.code(t.name); code != nil && len(code.Params)-len(t.before)-len(t.after) == 1 {
			return args[0]
		}
	}
	return value{}
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
				e.adds(s, in, args[0], args[1])
				e.adds(s, in, v, args[0])
				e.adds(s, in, v, args[1])
			}
			return value{refs: union(v, args[0]).refs, bits: args[0].bits & lost}
		}),
		"copy": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			e.uses(s, args[1], e.x(1), passed)
			if in.Type == "references" {
				e.adds(s, in, args[0], args[1])
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
			e.signals(args[0])
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
		// The error has a list of its own.
		"errors.Join": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.usesList(s, args[0], passed)
			list := e.load(s, args[0].at(elements), Reference, "")
			return e.holding(s, value{refs: list.refs})
		}),
		"sync.OnceFunc": simple(func(e *engine, s *state, in *Instr, args []value) value {
			o := e.fresh(s, "once")
			o.kind, o.typ = closure, onceFunc
			s.cells[cell{o.id, ".%f"}] = args[0]
			return to(ref{o.id, ""})
		}),
		collecting: simple(func(e *engine, s *state, in *Instr, args []value) value {
			list := args[len(args)-1]
			for _, v := range args[:len(args)-1] {
				if len(v.refs) > 0 {
					e.store(s, list.at(elements), v, Reference)
				}
			}
			return value{bits: yes}
		}),
		"recover": simple(func(e *engine, s *state, in *Instr, args []value) value { return e.resultOf(s, in) }),
		"min":     behave(reads), "max": behave(reads), "real": behave(reads), "imag": behave(reads), "complex": behave(reads),
		"String": simple(alias), "StringData": simple(alias), "Slice": simple(alias), "SliceData": simple(alias),
		"Add":            simple(alias),
		"ssa:wrapnilchk": simple(func(e *engine, s *state, in *Instr, args []value) value { return args[0] }),
	}
}

// holding returns a new value of a library that holds others.
func (e *engine) holding(s *state, held value) value {
	o := e.fresh(s, "holds")
	o.typ = "?"
	if len(held.refs) > 0 {
		s.cells[cell{o.id, ".%held"}] = held
		s.origin[cell{o.id, ".%held"}] = e.where()
	}
	return to(ref{o.id, ""})
}

// onceFunc is the type of a function that calls another one the first time.
const onceFunc = "sync.OnceFunc"

// adds lets one list have the elements of another one too.
func (e *engine) adds(s *state, in *Instr, list, more value) {
	added := e.load(s, more.at(elements), in.elementClass(), "")
	if len(added.refs) > 0 {
		e.store(s, list.at(elements), value{refs: added.refs, bits: added.bits & lost}, Reference)
	}
	for _, from := range more.refs {
		prefix := from.path + elements
		for _, c := range s.sortedCells() {
			if c.obj != from.obj || !strings.HasPrefix(c.path, prefix) || c.path == prefix ||
				len(s.cells[c].refs) == 0 {
				continue
			}
			for _, r := range list.refs {
				if r == from {
					continue
				}
				into := cell{r.obj, r.path + elements + c.path[len(prefix):]}
				s.cells[into] = union(s.cells[into], value{refs: s.cells[c].refs, bits: s.cells[c].bits & lost})
				if s.origin[into] == nil {
					s.origin[into] = e.where()
				}
			}
		}
	}
}

// elementClass is the class of the elements that a call adds to a list.
func (in *Instr) elementClass() Class {
	if n := len(in.vals); n > 0 && in.vals[n-1] != nil {
		if list, ok := in.vals[n-1].Type().Underlying().(*types.Slice); ok && classOf(list.Elem()) == Text {
			return Text
		}
	}
	return Reference
}

func alias(e *engine, s *state, in *Instr, args []value) value { return args[0].at(partly) }

// cloneMessage makes a copy of a message, which shares the text of the original.
func cloneMessage(e *engine, s *state, in *Instr, args []value) value {
	e.uses(s, args[0], e.x(0), passed)
	for _, r := range args[0].refs {
		for _, decoded := range s.cells[cell{r.obj, r.path + content}].refs {
			if strings.HasPrefix(e.objects[decoded.obj].typ, decodedMark+" ") {
				o := e.fresh(s, "clone")
				s.cells[cell{o.id, content}] = to(decoded)
				return to(ref{o.id, ""})
			}
		}
	}
	return e.resultOf(s, in)
}

// pushHeap calls the Push method of the heap, which keeps the element.
func pushHeap(e *engine, s *state, in *Instr, args []value, dst Operand) []*state {
	if wrap := s.top().code.definition(e.x(0)); wrap != nil && wrap.Op == Wrap {
		if name := "(" + wrap.Type + ").Push"; e.program.code(name) != nil {
			return e.named(s, in, name, args, dst, false)
		}
	}
	e.store(s, args[0].at(".%held"+elements), args[1], Reference)
	return []*state{s}
}

// writing is the effect of a function of a library that writes to its first argument: it may
// call the method Write of a type of the package.
func writing(then effect) effect {
	return func(e *engine, s *state, in *Instr, args []value, dst Operand) (out []*state) {
		states := []*state{s}
		if w := args[0]; len(w.refs) == 1 && w.refs[0].path == "" && w.bits&lost == 0 && e.thread == nil {
			name := "(*" + e.objects[w.refs[0].obj].typ + ").Write"
			if code := e.program.code(name); code != nil && code.src != nil && e.depth(s, code) == 0 {
				states = append(states, e.named(s.clone(), in, name, []value{w, {bits: other}}, none, false)...)
			}
		}
		for _, next := range states {
			out = append(out, then(e, next, in, args, dst)...)
		}
		return out
	}
}

// poolEffects returns the methods of sync.Pool and other functions of the standard
// library that no contract describes.
func poolEffects() map[string]effect {
	return map[string]effect{
		"container/heap.Push":                      pushHeap,
		"google.golang.org/protobuf/proto.Clone":   simple(cloneMessage),
		"google.golang.org/protobuf/proto.CloneOf": simple(cloneMessage),
		timeoutHandler:                             simple(holding(timeoutHandler)),
		"(reflect.Value).Interface": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			for _, r := range args[0].refs {
				if strings.HasSuffix(r.path, partly) { // the value is copied
					return e.resultOf(s, in)
				}
			}
			return args[0]
		}),
		"(*sync.WaitGroup).Add": simple(addsTo),
		"io.WriteString":        writing(behave(reads)),
		"fmt.Fprint":            writing(behave(reads)),
		"fmt.Fprintf":           writing(behave(reads)),
		"fmt.Fprintln":          writing(behave(reads)),
		"(context.Context).Done": simple(func(e *engine, s *state, in *Instr, args []value) value {
			o := e.fresh(s, "done")
			o.typ = contextDone
			return to(ref{o.id, ""})
		}),
		"(*sync.Pool).Get": simple(func(e *engine, s *state, in *Instr, args []value) value {
			o := e.fresh(s, "pooled")
			s.objs[o.id] = status{pooled: true}
			s.cells[cell{o.id, ofPool}] = args[0]
			return to(ref{o.id, ""})
		}),
		"(*sync.Pool).Put": simple(func(e *engine, s *state, in *Instr, args []value) value {
			if args[1].num == typedNil && e.thread == nil && e.lexical(len(e.stack)-1) &&
				s.top().code.isResult(e.x(1)) {
				e.fault(s, &candidate{kind: Pool, at: e.where(), name: e.nameAt(s, e.x(1), 0),
					text: "%s may be nil, and is put into the pool, so a later Get returns nil"})
			}
			e.mixesPools(s, in, args)
			e.puts(s, args[1], e.x(1))
			return value{}
		}),
	}
}
