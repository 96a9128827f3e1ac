package lifetime

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// calls follows a call, or the deferred calls of a function, to all states in which
// it may return.
func (e *engine) calls(s *state, in *Instr) []*state {
	switch in.Op {
	case Call:
		return e.call(s, in, e.operand(s, in.X[0]), in.Name, e.arguments(s, in), in.Dst)
	case Select:
		return e.selected(s, in)
	}
	states := []*state{s}
	for {
		var next []*state
		ran := false
		for _, s := range states {
			f := s.top()
			if len(f.defers) == 0 {
				next = append(next, s)
				continue
			}
			ran = true
			d := f.defers[len(f.defers)-1]
			f.defers = f.defers[:len(f.defers)-1]
			here := e.stack[len(e.stack)-1]
			e.stack[len(e.stack)-1] = point{code: f.code, block: here.block, index: here.index, late: true, in: d.in,
				args: f.args}
			next = append(next, e.call(s, d.in, d.args[0], d.in.Name, d.args[1:], none)...)
			e.stack[len(e.stack)-1] = here
		}
		states = next
		if !ran {
			return states
		}
		if len(states) > maxExits {
			panic(tooMuch{})
		}
	}
}

// call follows a call of a function that is named, or of the functions that a value
// may be.
func (e *engine) call(s *state, in *Instr, fn value, name string, args []value, dst Operand) []*state {
	if name == "" {
		if x := in.X[0]; x != none {
			e.uses(s, fn, x, read)
		}
		all, complete := e.targets(s, fn)
		if in.Range && len(all) == 0 && len(args) == 1 {
			return e.ranges(s, fn, args[0])
		}
		var out []*state
		for _, t := range all {
			c := s
			if len(all) > 1 || !complete {
				c = s.clone()
			}
			if called := (cell{t.once, ".%called"}); t.once != 0 {
				if _, again := c.cells[called]; again {
					out = append(out, c)
					continue
				}
				c.cells[called] = value{bits: yes}
			}
			with := append(slices.Clone(t.before), args...)
			if code := e.program.code(t.name); code != nil { // a library gives it what is not known
				for len(with)+len(t.after) < len(code.Params) {
					with = append(with, value{bits: other | lost})
				}
			}
			with = append(with, t.after...)
			out = append(out, e.named(c, in, t.name, with, dst, t.invoke)...)
		}
		if complete {
			return out
		}
		return append(out, e.strange(s, in, "", args, dst)...) // it may be another function
	}
	return e.named(s, in, name, args, dst, in.Flag)
}

func (e *engine) named(s *state, in *Instr, name string, args []value, dst Operand, invoke bool) (out []*state) {
	if invoke {
		if out, ok := e.invoke(s, in, name, args, dst); ok {
			return out
		}
		if methods := e.methods(name); len(methods) > 0 {
			for _, method := range methods {
				out = append(out, e.named(s.clone(), in, method, args, dst, false)...)
			}
			return append(out, e.strange(s, in, name, args, dst)...) // it may be another type
		}
	}
	if e.program.receivesStream(in, name) {
		e.set(s, dst, e.nextMessage(s, in, args))
		return []*state{s}
	}
	if effect := e.program.effect(name); effect != nil {
		e.operands = in.X[min(len(in.X), 1):]
		if len(e.operands) != len(args) {
			e.operands = nil
		}
		return effect(e, s, in, args, dst)
	}
	if code := e.program.code(name); code != nil && !invoke {
		e.passes(s, in, args)
		alone := e.thread == nil && len(s.threads) == 0
		if alone && in.Class == Scalar && in.Number < 2 && e.program.quiet(code) &&
			(e.skipped[code] || !e.leadsToDead(s, args)) {
			e.set(s, dst, e.resultOf(s, in))
			return []*state{s}
		}
		if in.Number == 0 && e.depth(s, code) > 1 { // deeper, it does the same again
			for _, a := range args {
				e.held(s, a)
			}
			e.set(s, dst, e.resultOf(s, in))
			return []*state{s}
		}
		if e.concerns(s, code, args) {
			if out, ok := e.inline(s, code, args, dst); ok {
				return out
			}
			defer func() {
				for _, next := range out {
					e.keptBy(next, code, args)
				}
			}()
			if code.Exposes { // it is too long to follow, but uses the arenas that it is given
				for i, a := range args {
					e.usesArena(s, e.arenasOf(a), in.argument(i, len(args)))
				}
			}
		}
	}
	return e.strange(s, in, name, args, dst)
}

// lends reports whether a value is an arena, or a struct that has it in a field.
func (e *engine) lends(s *state, arena int) func(value) bool {
	is := func(v value) bool { return len(v.refs) == 1 && v.refs[0] == ref{arena, ""} }
	return func(v value) bool {
		field := e.objects[arena].field
		return is(v) || len(v.refs) == 1 && v.refs[0].path == "" && field != "" && is(s.cells[cell{v.refs[0].obj, field}])
	}
}

// arenasOf are the arenas among the references of a value.
func (e *engine) arenasOf(v value) value {
	refs := slices.DeleteFunc(slices.Clone(v.refs), func(r ref) bool { return e.objects[r.obj].kind != anArena })
	return value{refs: refs, bits: v.bits}
}

// argument is the operand of the i-th of n arguments, none if the call has others.
func (in *Instr) argument(i, n int) Operand {
	if len(in.X) == n+1 {
		return in.X[i+1]
	}
	return none
}

// leadsToDead reports whether values lead to memory that has ended, and none of them is such
// memory, which passes has noted.
func (e *engine) leadsToDead(s *state, values []value) bool {
	for _, v := range values {
		if slices.ContainsFunc(v.refs, func(r ref) bool { return s.objs[r.obj].dead != 0 && !s.objs[r.obj].lost }) {
			return false
		}
	}
	for o := range e.reach(s, values...) {
		if s.objs[o].dead != 0 {
			return true
		}
	}
	return false
}

// invoke follows a call through an interface, if the types of the receiver are known.
func (e *engine) invoke(s *state, in *Instr, name string, args []value, dst Operand) ([]*state, bool) {
	method := name[strings.LastIndexByte(name, '.')+1:]
	if len(args) == 0 || len(args[0].refs) == 0 || args[0].bits&(lost|other) != 0 {
		return nil, false
	}
	var found []string
	for _, r := range args[0].refs {
		typ := e.objects[r.obj].typ
		if r.path != "" { // the address of a field
			inner, _, field := e.innerStruct(typ, r.path+".x")
			if field != ".x" {
				return nil, false
			}
			typ = inner
		}
		if typ == "reflect.Value" { // the value in it has another type
			return nil, false
		}
		var impl string
		for _, full := range []string{"(*" + typ + ")." + method, "(" + typ + ")." + method} {
			if e.program.effect(full) != nil || e.program.code(full) != nil {
				impl = full
				break
			}
		}
		if impl == "" || typ == "" {
			return nil, false
		}
		if !slices.Contains(found, impl) {
			found = append(found, impl)
		}
	}
	var out []*state
	for _, impl := range found {
		out = append(out, e.named(s.clone(), in, impl, args, dst, false)...)
	}
	return out, true
}

// maxImplementations bounds the types that a call through an interface may reach.
const maxImplementations = 3

// methods are the methods that a call through an interface of the package may run, by
// the types that the package converts to the interface.
func (e *engine) methods(name string) (all []string) {
	i := strings.LastIndexByte(name, '.')
	types := e.program.survey.implementations[strings.Trim(name[:max(i, 0)], "()")]
	if len(types) > maxImplementations {
		return nil
	}
	for _, typ := range types {
		if full := "(" + typ + ")" + name[i:]; e.program.code(full) != nil {
			all = append(all, full)
		}
	}
	return all
}

// inline follows a function with its arguments, and sets its result.
func (e *engine) inline(s *state, code *Code, args []value, dst Operand) (out []*state, ok bool) {
	exits, ok := e.exits(s, code, args)
	for _, x := range exits {
		v := value{}
		switch len(x.results) {
		case 0:
		case 1:
			v = x.results[0]
		default:
			v = value{parts: x.results}
		}
		e.set(x.s, dst, v)
		out = append(out, x.s)
	}
	return out, ok
}

// depth is how often a function is running.
func (e *engine) depth(s *state, code *Code) (n int) {
	for _, f := range s.frames {
		if f.code == code {
			n++
		}
	}
	return n
}

// push begins a call.
func (e *engine) push(s *state, code *Code, args []value) {
	e.entered[code] = true
	f := &frame{code: code, args: args, ctx: e.here(), regs: make([]*value, code.Regs)}
	for i := range code.Params {
		if i < len(args) {
			f.put(Operand(i), args[i])
		} else {
			f.put(Operand(i), value{bits: other | lost})
		}
	}
	s.frames = append(s.frames, f)
}

// unknown follows a call of a function about which nothing is known. What the
// arguments refer to may have other contents afterwards.
func (e *engine) unknown(s *state, in *Instr, name string, args []value, dst Operand) {
	if v, ok := e.getter(s, in, name, args); ok {
		e.set(s, dst, v)
		return
	}
	e.passes(s, in, args)
	if e.thread != nil {
		for _, a := range args {
			e.uses(s, a, none, passed)
		}
	}
	if v, ok := e.response(s, in, args); ok {
		e.set(s, dst, v)
		return
	}
	if in.Flag && pure(name) {
		e.set(s, dst, e.resultOf(s, in))
		return
	}
	for _, a := range args {
		e.writes(s, a, none)
	}
	if strings.HasSuffix(name, ").Wait") {
		e.waits(s, value{})
	}
	reached := e.reach(s, args...)
	e.maySignal(reached)
	lent := e.lent(s, args)
	leaves := e.leaves(in, name)
	for o := range reached {
		if !leaves && e.objects[o].kind == anArena && !lent[o] {
			st := s.objs[o]
			st.own, st.loaned = st.own && name == "" && slices.ContainsFunc(args, e.lends(s, o)), true
			s.objs[o] = st
		}
	}
	closures := false
	for _, a := range args {
		for _, r := range a.refs {
			closures = closures || e.objects[r.obj].kind == closure
		}
	}
	given := reached
	if closures { // what they do is followed
		rest := slices.DeleteFunc(slices.Clone(args), func(a value) bool { return e.isFunction(s, a) })
		given = e.reach(s, rest...)
	}
	written, all := e.program.writes(name)
	_, outlined := e.program.foreign[name] // it decodes nothing
	for c, v := range s.cells {
		o := e.objects[c.obj]
		if all && !written[lastPart(c.path)] || outlined && strings.HasSuffix(c.path, content) || e.settled(c) ||
			name == serveHTTP && e.readsLate(c) {
			continue
		}
		if given[c.obj] && o.kind != closure || o.outside && (name == "" || closures || in.Flag) &&
			!strings.HasPrefix(o.key, "captured by ") {
			if len(v.refs) > 0 || v.bits&(yes|no|null) != 0 {
				v.bits |= lost
				v.num = ""
				s.cells[c] = v
			}
		}
	}
	for _, o := range sortedKeys(given) {
		if old := e.objects[o]; !old.outside && old.kind == memory && s.objs[o].arena == 0 && old.typ != "?" &&
			old.typ != "" {
			twin := e.object(old.key + "?")
			twin.outside, twin.typ, twin.name = true, old.typ, e.arenaName(o)
			if _, had := s.cells[cell{o, whole}]; !had {
				s.cells[cell{o, whole}] = to(ref{twin.id, ""})
			}
		}
	}
	v := e.resultOf(s, in)
	if owner, ok := e.newOwner(s, in, name, reached); ok && in.Number < 2 {
		v = owner
	} else if ok {
		v.parts[0] = owner
	}
	e.set(s, dst, v)
}

// leaves reports whether a function that is known, but too long to follow, leaves the
// arenas that it is given to its caller.
func (e *engine) leaves(in *Instr, name string) bool {
	code := e.program.code(name)
	if code == nil {
		return false
	}
	frees, known := e.program.freeing[name]
	if !known {
		frees = e.program.frees(code, map[string]bool{})
		e.program.freeing[name] = frees
	}
	if frees {
		return false
	}
	if v, ok := in.src.(ssa.Value); ok {
		return e.program.closer(typeOf(v)) == ""
	}
	return in.Class == Scalar && in.Number < 2 // a call in another package, whose result frees nothing
}

// response follows a call that decodes its result into an arena.
func (e *engine) response(s *state, in *Instr, args []value) (value, bool) {
	if in.Number != 2 {
		return value{}, false
	}
	arenas, text := e.responseArenas(s, args)
	if in.X[0] != none && in.handles() {
		if arenas = e.contextArenas(s, args[0]); len(arenas.refs) == 1 {
			o := e.inArena(s, arenas.refs[0].obj, "response")
			o.answer = true
			v := e.resultOf(s, in)
			v.parts[0] = value{refs: to(ref{o.id, ""}).refs, bits: null}
			return v, true
		}
	}
	if len(arenas.refs) != 1 {
		return value{}, false
	}
	if in.opensStream() {
		return value{parts: []value{holding(intoArena)(e, s, in, []value{arenas}), e.resultOf(s, in).parts[1]}}, true
	}
	e.usesArena(s, arenas, none)
	o := e.inArena(s, arenas.refs[0].obj, "response")
	o.typ = decodedMark
	if text == textArena {
		o.typ += textMarks[text]
	}
	v := e.resultOf(s, in)
	v.parts[0] = value{refs: to(ref{o.id, ""}).refs, bits: null}
	return v, true
}

// opensStream reports whether the first result of a call receives messages later.
func (in *Instr) opensStream() bool {
	v, ok := in.src.(ssa.Value)
	if !ok {
		return false
	}
	tuple, ok := v.Type().(*types.Tuple)
	if !ok || tuple.Len() == 0 {
		return false
	}
	recv, _, _ := types.LookupFieldOrMethod(tuple.At(0).Type(), true, nil, "Recv")
	_, ok = recv.(*types.Func)
	return ok
}

// getter follows a call of a message's getter, if the message was decoded into an arena.
func (e *engine) getter(s *state, in *Instr, name string, args []value) (value, bool) {
	if len(args) != 1 || !strings.Contains(name, ").Get") || len(args[0].refs) != 1 {
		return value{}, false
	}
	r := args[0].refs[0]
	d := e.decodedIn(s, ref{r.obj, r.path + ".x"})
	if o := e.objects[r.obj]; d == nil && strings.HasPrefix(o.typ, decodedMark) {
		d = o
	}
	if d == nil {
		return value{}, false
	}
	v, x := e.inMessage(s, d, in.Class), in.X[min(1, len(in.X)-1)]
	e.uses(s, v, x, read)
	e.uses(s, args[0], x, read)
	return v, true
}

// pure reports whether methods of a common interface leave other memory alone.
func pure(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Write", "WriteString", "WriteByte", "WriteRune", "Read", "ReadByte", "Flush", "Error", "String", "Len", "Less",
		"Done", "Err", "Deadline", "Header", "WriteHeader":
		return true
	}
	return false
}

// resultOf is what a call returns if nothing is known about it.
func (e *engine) resultOf(s *state, in *Instr) value {
	one := func(i int) value {
		v := value{bits: other, sym: e.sym(fmt.Sprint("r", e.here(), i))}
		e.forget(s, v.sym)
		return v
	}
	if in.Number < 2 {
		v := one(0)
		if in.Class == Scalar {
			v.bits = 0
		}
		return v
	}
	v := value{}
	for i := range in.Number {
		v.parts = append(v.parts, one(i))
	}
	return v
}
