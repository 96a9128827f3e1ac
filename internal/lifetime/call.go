package lifetime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// calls follows a call, or the deferred calls of a function, to all states in which
// it may return.
func (e *engine) calls(s *state, in *Instr) []*state {
	if in.Op == Call {
		return e.call(s, in, e.operand(s, in.X[0]), in.Name, e.arguments(s, in), in.Dst)
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
			e.stack[len(e.stack)-1] = point{f.code, here.block, here.index, true, d.in}
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

// A target is a function that a call may run, with the values that come before and
// after its arguments.
type target struct {
	name          string
	before, after []value
	invoke        bool
}

// targets are the functions that a value may be. It reports whether they are all.
func (e *engine) targets(s *state, fn value) (all []target, complete bool) {
	complete = fn.bits&(lost|other) == 0 && len(fn.refs) > 0
	for _, r := range fn.refs {
		o := e.objects[r.obj]
		if o.kind != closure || r.path != "" {
			complete = false
			continue
		}
		var bound []value
		for i := 0; ; i++ {
			v, ok := s.cells[cell{o.id, fmt.Sprint("$", i)}]
			if !ok {
				break
			}
			bound = append(bound, v)
		}
		switch o.typ {
		case "bound":
			all = append(all, target{name: o.code, before: bound})
		case "bound to an interface":
			all = append(all, target{name: o.code, before: bound, invoke: true})
		default:
			all = append(all, target{name: o.code, after: bound})
		}
	}
	return all, complete
}

// call follows a call of a function that is named, or of the functions that a value
// may be.
func (e *engine) call(s *state, in *Instr, fn value, name string, args []value, dst Operand) []*state {
	if name == "" {
		all, complete := e.targets(s, fn)
		var out []*state
		for _, t := range all {
			c := s
			if len(all) > 1 || !complete {
				c = s.clone()
			}
			with := append(append(slices.Clone(t.before), args...), t.after...)
			out = append(out, e.named(c, in, t.name, with, dst, t.invoke)...)
		}
		if complete {
			return out
		}
		if len(all) > 0 { // one of them may be called, or another function
			for _, c := range out {
				e.unknown(c, in, "", args, dst)
			}
			return out
		}
		e.unknown(s, in, "", args, dst)
		return []*state{s}
	}
	return e.named(s, in, name, args, dst, in.Flag)
}

func (e *engine) named(s *state, in *Instr, name string, args []value, dst Operand, invoke bool) []*state {
	if invoke {
		if out, ok := e.invoke(s, in, name, args, dst); ok {
			return out
		}
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
		if e.thread == nil && in.Class == Scalar && in.Number < 2 && e.program.quiet(code) && !e.leadsToDead(s, args) {
			e.set(s, dst, e.resultOf(s, in))
			return []*state{s}
		}
		if e.concerns(s, code, args) {
			if out, ok := e.inline(s, code, args, dst); ok {
				return out
			}
		}
	}
	e.unknown(s, in, name, args, dst)
	return []*state{s}
}

// leadsToDead reports whether values lead to memory that has ended.
func (e *engine) leadsToDead(s *state, values []value) bool {
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
		var impl string
		for _, full := range []string{"(*" + typ + ")." + method, "(" + typ + ")." + method} {
			if e.program.effect(full) != nil || e.program.code(full) != nil {
				impl = full
				break
			}
		}
		if impl == "" || typ == "" || r.path != "" {
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

// inline follows a function with its arguments. It gives up if that takes too long.
func (e *engine) inline(s *state, code *Code, args []value, dst Operand) (out []*state, ok bool) {
	depth := 0
	for _, f := range s.frames {
		if f.code == code {
			depth++
		}
	}
	if depth > 1 || len(s.frames) >= maxDepth || e.program.tooLong[code.Name] > 1 {
		return nil, false
	}
	before := s.clone()
	level, limit := len(e.stack), e.limit
	e.limit = min(limit, e.steps+maxCall)
	defer func() {
		e.limit = limit
		if r := recover(); r != nil {
			if _, much := r.(tooMuch); !much || e.steps >= limit {
				panic(r)
			}
			e.program.tooLong[code.Name]++
			e.stack = e.stack[:level]
			*s = *before
			out, ok = nil, false
		}
	}()
	stack := slices.Clone(e.stack)
	e.push(s, code, args)
	exits := e.run(s)
	e.stack = append(e.stack[:0], stack...)
	for _, x := range exits {
		e.left(x.s, code)
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
	return out, true
}

// push begins a call.
func (e *engine) push(s *state, code *Code, args []value) {
	e.entered[code] = true
	f := &frame{code: code, ctx: e.here(), regs: make([]value, code.Regs)}
	for i := range code.Params {
		if i < len(args) {
			f.regs[i] = args[i]
		} else {
			f.regs[i] = value{bits: other | lost}
		}
	}
	s.frames = append(s.frames, f)
}

// unknown follows a call of a function about which nothing is known. What the
// arguments refer to may have other contents afterwards.
func (e *engine) unknown(s *state, in *Instr, name string, args []value, dst Operand) {
	e.passes(s, in, args)
	if e.thread != nil {
		for _, a := range args {
			e.uses(s, a, none, passed)
		}
	}
	if v, ok := e.getter(s, in, name, args); ok {
		e.set(s, dst, v)
		return
	}
	if in.Flag && pure(name) {
		e.set(s, dst, e.resultOf(s, in))
		return
	}
	if strings.HasSuffix(name, ").Wait") {
		e.waits(s, false)
	}
	reached := e.reach(s, args...)
	for o := range reached {
		if e.objects[o].kind == anArena {
			st := s.objs[o]
			st.own = false
			s.objs[o] = st
		}
	}
	closures := false
	for _, a := range args {
		for _, r := range a.refs {
			closures = closures || e.objects[r.obj].kind == closure
		}
	}
	for c, v := range s.cells {
		o := e.objects[c.obj]
		if reached[c.obj] && o.kind != closure || o.outside && (name == "" || closures || in.Flag) {
			if len(v.refs) > 0 || v.bits&(yes|no|null) != 0 {
				v.bits |= lost
				v.num = ""
				s.cells[c] = v
			}
		}
	}
	for o := range reached {
		if old := e.objects[o]; !old.outside && old.kind == memory && s.objs[o].arena == 0 && old.typ != "?" && old.typ != "" {
			twin := e.object(old.key + "?")
			twin.outside, twin.typ, twin.name = true, old.typ, e.arenaName(o)
			if _, had := s.cells[cell{o, whole}]; !had {
				s.cells[cell{o, whole}] = to(ref{twin.id, ""})
			}
		}
	}
	e.set(s, dst, e.resultOf(s, in))
}

// getter follows a call of a message's getter, if the message was decoded into an arena.
func (e *engine) getter(s *state, in *Instr, name string, args []value) (value, bool) {
	if len(args) != 1 || !strings.Contains(name, ").Get") || len(args[0].refs) != 1 {
		return value{}, false
	}
	r := args[0].refs[0]
	d := e.decodedIn(s, ref{r.obj, r.path + ".x"})
	if d == nil {
		return value{}, false
	}
	v := e.inMessage(s, d, in.Class)
	e.uses(s, v, in.X[min(1, len(in.X)-1)], read)
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

// reach are the objects that values lead to.
func (e *engine) reach(s *state, values ...value) map[int]bool {
	found := map[int]bool{}
	var queue []int
	add := func(v value) {
		for _, r := range v.refs {
			if !found[r.obj] {
				found[r.obj] = true
				queue = append(queue, r.obj)
			}
		}
	}
	var all func(v value)
	all = func(v value) {
		add(v)
		for _, p := range v.parts {
			all(p)
		}
	}
	for _, v := range values {
		all(v)
	}
	by := s.byObject()
	for len(queue) > 0 {
		o := queue[0]
		queue = queue[1:]
		for _, v := range by[o] {
			add(v)
		}
	}
	return found
}

func (s *state) byObject() map[int][]value {
	by := map[int][]value{}
	for c, v := range s.cells {
		if len(v.refs) > 0 && !strings.HasSuffix(c.path, whole) {
			by[c.obj] = append(by[c.obj], v)
		}
	}
	return by
}

// waits forgets the goroutines that may have ended.
func (e *engine) waits(s *state, ranges bool) {
	if e.thread != nil {
		if ranges {
			e.ordered = true
		} else {
			e.excludes = true
		}
	}
	s.threads = nil
	s.sent = map[ref][]point{}
	if e.thread == nil {
		e.elsewhere(s)
	}
}

// elsewhere notes that another goroutine may have changed memory from outside.
func (e *engine) elsewhere(s *state) {
	for c, v := range s.cells {
		if e.objects[c.obj].outside && len(v.refs) > 0 && s.origin[c] == nil {
			v.bits |= lost
			s.cells[c] = v
		}
	}
}

// goes follows a goroutine.
func (e *engine) goes(s *state, in *Instr, fn value, name string, args []value) {
	if name != "" && !in.Flag {
		e.passes(s, in, args)
	}
	outer, excludes, ordered, stack := e.thread, e.excludes, e.ordered, e.where()
	t := &thread{at: e.here(), uses: map[int][]point{}, puts: map[int]bool{}}
	e.thread, e.excludes, e.ordered = t, false, false
	s2 := s.clone()
	s2.threads, s2.sent = nil, map[ref][]point{}
	after := e.call(s2, in, fn, name, args, none)
	e.stack = stack
	excluded, inOrder := e.excludes, e.ordered
	maps.DeleteFunc(t.uses, func(o int, _ []point) bool { _, had := s.objs[o]; return !had && !e.objects[o].outside })
	e.thread, e.excludes, e.ordered = outer, excludes, ordered
	for _, o := range sortedKeys(e.reach(s, append(slices.Clone(args), fn)...)) {
		st := s.objs[o]
		st.own = false
		s.objs[o] = st
	}
	for _, x := range after {
		for c, v := range x.cells {
			old, had := s.cells[c]
			if had && equal(old, v) || !had && len(v.refs) == 0 {
				continue
			}
			if e.objects[c.obj].kind == closure {
				continue
			}
			known := true
			for _, r := range v.refs {
				_, ok := s.objs[r.obj]
				known = known && (ok || e.objects[r.obj].outside)
				if !ok {
					st := x.objs[r.obj]
					st.own = false
					s.objs[r.obj] = st
				}
			}
			_ = known
			s.cells[c] = union(old, v)
			if at := x.origin[c]; at != nil {
				s.origin[c] = at
			}
		}
	}
	if excluded {
		return
	}
	if len(t.uses) == 0 {
		return
	}
	e.shares(s, in, t, inOrder)
	if inOrder {
		return
	}
	s.runs(t)
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
