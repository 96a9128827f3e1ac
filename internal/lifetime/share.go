package lifetime

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// inThread notes a use by a goroutine, and reports one beside a goroutine that ends
// the object.
func (e *engine) inThread(s *state, obj int, st status) {
	if t := e.thread; t != nil {
		if s.order == ordered {
			return
		}
		a := e.access(s, obj, true)
		t.continues = t.continues || t.sent && e.objects[obj].kind == anArena
		if old, ok := t.uses[obj]; !ok || a.better(old) {
			t.uses[obj] = a
		}
		return
	}
	if e.objects[obj].kind != anArena && st.arena != 0 {
		for _, t := range s.threads {
			if end, ok := t.ends[st.arena]; ok && !st.lost && st.dead == 0 && !t.begun[obj] && !excludes(end.locks, e.locksOf(s, st.arena)) {
				e.fault(s, &candidate{kind: Share, at: e.where(), from: end.at, obj: obj, name: e.nameAt(s, none, obj), text: besideEnd})
			}
		}
		return
	}
	for _, t := range s.threads {
		if t.puts[obj] && e.objects[obj].kind != anArena {
			e.fault(s, &candidate{kind: Pool, at: e.where(), obj: obj, name: e.nameAt(s, none, obj),
				text: "%s is used while a goroutine may already have put it"})
		}
	}
}

// races notes an access to a field in the memory of an arena, and reports one beside a
// goroutine that changes the field.
func (e *engine) races(s *state, at value, x Operand, write bool) {
	if len(at.refs) != 1 || at.bits&(lost|many) != 0 || s.order != free {
		return
	}
	r := at.refs[0]
	if st := s.objs[r.obj]; st.arena == 0 || st.dead != 0 || strings.Contains(r.path, "[") || e.objects[r.obj].aged {
		return
	}
	a := e.access(s, r.obj, write)
	if t := e.thread; t != nil {
		if old, ok := t.fields[r]; !ok || a.better(old) {
			t.fields[r] = a
		}
		return
	}
	for _, t := range s.threads {
		u, ok := t.fields[r]
		if ok && (u.write || write) && !u.worker && !excludes(u.locks, s.locks) {
			e.fault(s, &candidate{kind: Share, at: a.at, from: u.at, obj: r.obj, name: e.nameAt(s, x, r.obj),
				text: besideMemory})
		}
	}
}

const (
	eachRound    = "each round of the loop starts a goroutine that uses the arena %s"
	beside       = "the arena %s is used here while the goroutine that began in line " + lineMark + " may use it"
	besideMemory = "%s, memory of an arena, is used here while the goroutine that began in line " + lineMark + " may use it"
	besideEnd    = "%s, memory of an arena, is used here while the goroutine that began in line " + lineMark + " may end the arena"
	afterSend    = "the arena %s is used here, but the goroutine that received it in line " + lineMark + " may use it"
	readLocked   = "a read lock lets several goroutines allocate in the arena %s at once"
	handled      = "the handler runs in several goroutines at once, and all of them use the arena %s"
	lineMark     = "$LINE"
)

// usesArena notes an operation of an arena.
func (e *engine) usesArena(s *state, v value, x Operand) {
	e.uses(s, v, x, passed)
	for _, r := range v.refs {
		e.exposes = e.exposes || e.objects[e.base(r.obj)].outside
	}
	e.usedByMethod(s, v, x)
	if e.thread != nil || v.bits&lost != 0 {
		return
	}
	for _, r := range v.refs {
		o := e.objects[r.obj]
		if o.kind != anArena || s.objs[r.obj].dead != 0 {
			continue
		}
		c := candidate{kind: Share, at: e.where(), obj: r.obj, name: e.nameAt(s, x, r.obj)}
		for _, t := range s.threads {
			if u, ok := t.uses[r.obj]; ok && !u.worker && !excludes(u.locks, e.locksOf(s, r.obj)) {
				c.from, c.text = u.at, beside
			}
		}
		if at := s.sent[ref{r.obj, ""}]; at != nil {
			c.from, c.text = at, afterSend
		}
		if c.text != "" {
			e.fault(s, &c)
		}
	}
}

// allocates notes an operation that no two goroutines may do at once.
func (e *engine) allocates(s *state, v value, x Operand) {
	if len(v.refs) != 1 || v.bits&lost != 0 || s.order != free {
		return
	}
	o := e.objects[v.refs[0].obj]
	base := e.objects[e.base(o.id)]
	if o.kind != anArena || s.objs[o.id].dead != 0 || !base.outside {
		return
	}
	c := candidate{kind: Share, at: e.where(), obj: o.id, name: e.nameAt(s, x, o.id)}
	if place := e.placeIn(o); place != "" && len(s.locks) > 0 {
		e.program.known["locked "+place] = true
	}
	switch {
	case len(s.locks) == 0 && e.thread == nil && e.root.isHandler(e.program.survey) && !e.root.isRequest(base):
		c.text = handled
	case len(s.locks) > 0 && !slices.ContainsFunc(s.locks, func(l string) bool {
		return !strings.HasSuffix(l, shared) || !strings.HasPrefix(l, fmt.Sprint(base.id, "."))
	}):
		c.text = readLocked
	default:
		return
	}
	if key := fmt.Sprint(c.text, o.id); !e.known[key] {
		e.known[key] = true
		c.from = c.at
		e.fault(s, &c)
	}
}

// placeIn is the type and the path of the field that holds an arena from outside.
func (e *engine) placeIn(o *object) string {
	if o.of == nil || e.objects[o.of.obj].typ == "" {
		return ""
	}
	return e.objects[o.of.obj].typ + o.of.path
}

// unlocked notes a goroutine that uses an arena without the lock under which other
// methods use it.
func (e *engine) unlocked(s *state, t *thread) {
	for _, c := range s.sortedCells() {
		v, holder := s.cells[c], e.objects[c.obj]
		if len(v.refs) != 1 || holder.typ == "" || !strings.Contains(holder.typ, ".") {
			continue
		}
		o := v.refs[0].obj
		a, ok := t.uses[o]
		if ok && e.objects[o].kind == anArena && len(a.locks) == 0 && !a.worker {
			e.fault(s, &candidate{kind: Share, at: a.at, from: a.at, obj: o, name: e.nameAt(s, none, o),
				needs: "locked " + holder.typ + c.path,
				text:  "a goroutine uses the arena %s without the lock under which others use it"})
		}
	}
}

// usedByMethod notes that an exported method uses an arena, or a container in one, in a
// field of its receiver. Without a lock it races with the goroutines of the receiver and
// with the methods that hold one.
func (e *engine) usedByMethod(s *state, v value, x Operand) {
	if len(v.refs) != 1 || v.bits&lost != 0 || s.order != free || e.thread != nil || !e.root.isExportedMethod() {
		return
	}
	o := e.objects[v.refs[0].obj]
	place := e.placeIn(o)
	if place == "" || s.objs[o.id].dead != 0 || e.objects[o.of.obj].key != parameterKey(0, e.root.Params[0]) {
		return
	}
	if len(s.locks) > 0 {
		e.program.known["locked by a method "+place] = true
		return
	}
	if users := e.program.users; !slices.Contains(users[place], e.root.Name) {
		users[place] = append(users[place], e.root.Name)
	}
	if at := e.where(); e.inside(at) {
		e.fault(s, &candidate{kind: Share, at: at, from: at, obj: o.id, name: e.nameAt(s, x, o.id),
			needs: "locked by a method " + place,
			text:  "the arena %s is used here without the lock under which other methods use it"})
	}
}

// isExportedMethod reports whether other packages may call a function as a method.
func (c *Code) isExportedMethod() bool {
	if c.src == nil || c.src.Signature.Recv() == nil || len(c.Params) == 0 {
		return false
	}
	obj := c.src.Object()
	return obj != nil && obj.Exported() && strings.HasPrefix(c.Params[0].Type, "*")
}

// background reports goroutines that use the arena of a struct beside its methods, after
// the function that has started them.
func (e *engine) background(s *state) {
	for _, c := range s.sortedCells() {
		v, holder := s.cells[c], e.objects[c.obj]
		if len(v.refs) != 1 || v.bits&lost != 0 || !strings.Contains(holder.typ, ".") || strings.HasSuffix(c.path, whole) {
			continue
		}
		o := e.objects[v.refs[0].obj]
		for _, t := range s.threads {
			a, ok := t.uses[o.id]
			if !ok || len(a.locks) > 0 || o.kind != anArena && !strings.HasPrefix(o.typ, ours+".") {
				continue
			}
			e.fault(s, &candidate{kind: Share, at: a.at, from: a.at, obj: o.id, name: e.nameAt(s, none, o.id),
				needs: usedBeside + holder.typ + c.path,
				text:  "a goroutine uses the arena %s beside the methods that use it without a lock"})
		}
	}
}

// usedBeside begins the need for a method other than the one that was followed.
const usedBeside = "used beside "

// everyRequest reports an arena that a handler uses, which has just been registered.
func (e *engine) everyRequest(s *state) {
	here := e.here()
	for _, t := range s.threads {
		for _, o := range sortedKeys(t.uses) {
			a := t.uses[o]
			if t.at == here && e.objects[o].kind == anArena && len(a.locks) == 0 && !a.worker {
				e.fault(s, &candidate{kind: Share, at: a.at, from: a.at, obj: o, name: e.nameAt(s, none, o),
					text: handled})
			}
		}
	}
}

// isHandler reports whether a function has the parameters of an HTTP handler, and is
// one, or is given to others.
func (c *Code) isHandler(sv *survey) bool {
	if !strings.HasSuffix(c.Name, ").ServeHTTP") && !sv.values[c.Name] {
		return false
	}
	for i, p := range c.Params {
		if p.Type == "net/http.ResponseWriter" && i+1 < len(c.Params) && c.Params[i+1].Type == "*net/http.Request" {
			return true
		}
	}
	return false
}

// isRequest reports whether memory from outside is a parameter of a handler that each
// request has for itself.
func (c *Code) isRequest(o *object) bool {
	for i, p := range c.Params {
		if o.key == parameterKey(i, p) {
			return p.Type == "net/http.ResponseWriter" || p.Type == "*net/http.Request"
		}
	}
	return !strings.HasPrefix(o.key, "global ")
}

// shares reports a goroutine that begins while another one uses the same arena.
func (e *engine) shares(s *state, t *thread) {
	if e.thread != nil {
		return
	}
	for _, o := range sortedKeys(t.uses) {
		if e.objects[o].kind != anArena || s.objs[o].lost || e.objects[o].aged {
			continue
		}
		a := t.uses[o]
		for _, u := range s.threads {
			b, ok := u.uses[o]
			if !ok || excludes(a.locks, b.locks) {
				continue
			}
			c := &candidate{kind: Share, at: a.at, from: b.at, obj: o, name: e.nameAt(s, none, o), text: beside}
			if u.at == t.at {
				c.text = eachRound
			} else if a.worker || b.worker {
				continue
			}
			e.fault(s, c)
		}
	}
}

// endsBeside reports goroutines that may use the memory of an arena that ends, and
// values that were sent.
func (e *engine) endsBeside(s *state, d *death, a int, x Operand) {
	for _, t := range s.threads {
		if u, ok := t.uses[a]; ok {
			if !u.worker && !excludes(u.locks, s.locks) {
				e.fault(s, &candidate{kind: Share, at: e.where(), from: u.at, obj: a, name: e.nameAt(s, x, a),
					text: beside, thread: t.at})
			}
			continue
		}
		for _, o := range sortedKeys(t.uses) {
			u := t.uses[o]
			if s.objs[o].arena == a && !s.objs[o].lost && !u.worker && !excludes(u.locks, s.locks) &&
				e.ofPath(s, d, o) {
				e.fault(s, &candidate{kind: Escape, at: e.where(), from: u.at, death: d, obj: o,
					name: e.nameAt(s, none, o),
					text: "a goroutine uses " + varMark + ", memory of the arena %s, which ends in this function"})
			}
		}
	}
	for _, r := range s.sortedSent() {
		if e.coarse || len(e.skipped) > 0 { // it may have been received in states or calls that are lost
			break
		}
		if s.objs[r.obj].arena == a && !s.objs[r.obj].lost && e.ofPath(s, d, r.obj) {
			c := &candidate{kind: Escape, at: e.where(), from: s.sent[r], death: d, obj: r.obj,
				text: "memory of the arena %s is sent on a channel, but %[2]s ends in this function"}
			if d.how == reset && !d.late && e.receivesBeside(s, r) && e.leads(c.from, c.at) {
				c.from, c.text = c.at, fmt.Sprintf("this ends memory of the arena %%s, sent to a goroutine in line %d, which may still read it",
					e.program.lineOf(c.from[len(c.from)-1]))
			}
			e.fault(s, c)
		}
	}
}

// leavesEarly is the return statement of a function whose deferred call ends an arena beside a
// goroutine for which the function waits on another path.
func (e *engine) leavesEarly(c *candidate) (token.Pos, bool) {
	p, ok := e.place(c.at)
	if !ok || !p.late || !e.joined[c.thread] || len(c.at) == 0 || !e.lexicalCode(c.at[0].code) {
		return token.NoPos, false
	}
	block := c.at[0].code.Blocks[c.at[0].block].Instrs
	last := block[len(block)-1]
	return last.src.Pos(), last.Op == Return && last.src.Pos().IsValid()
}

// receivesBeside reports whether an object was sent on a channel of the function from which
// one of its goroutines receives.
func (e *engine) receivesBeside(s *state, sent ref) bool {
	for c, v := range s.cells {
		channel := ref{c.obj, strings.TrimSuffix(c.path, elements)}
		if e.objects[c.obj].typ == channelType && e.received[lockOf(to(channel))] &&
			slices.ContainsFunc(v.refs, func(r ref) bool { return r.obj == sent.obj }) {
			return true
		}
	}
	return false
}

const varMark = "$VAR"

// ofPath reports whether a death concerns an object that is alive.
func (e *engine) ofPath(s *state, d *death, obj int) bool {
	return d.how != rewound && !(d.how != freed && e.objects[obj].slab)
}
