package lifetime

import (
	"fmt"
	"slices"
	"strings"
)

// contextDone is the type of the channels of contexts. Who cancels a context does not
// thereby wait for the goroutines that use it.
const contextDone = "context done"

// clocks are the types of values whose receipt says nothing about other goroutines.
var clocks = map[string]bool{"time.Time": true, "os.Signal": true}

// emptyStruct is the type of values that only count.
const emptyStruct = "struct{}"

// receives follows a receive from a channel. A channel of tokens may be a lock.
func (e *engine) receives(s *state, channel value, element string, intake bool) {
	if clocks[element] {
		return
	}
	if len(channel.refs) == 1 && e.objects[channel.refs[0].obj].typ == contextDone {
		if e.thread != nil {
			s.order = ordered
		}
		return
	}
	lock := "chan " + lockOf(channel)
	if element == emptyStruct {
		e.signals(channel)
		if slices.Contains(s.locks, lock) {
			s.release(lock)
			return
		}
		e.acquireToken(s, channel)
		e.waits(s, channel)
		return
	}
	if e.thread != nil {
		e.signals(channel)
		for _, r := range channel.refs {
			e.received[lockOf(to(r))] = true
		}
		s.order = max(s.order, worker)
		return
	}
	running := []*thread{}
	for _, t := range s.threads {
		if intake && t.continues && !t.blind {
			running = append(running, t.sendsOn(e))
		}
	}
	if e.beginsRound(s) { // each round of the loop takes one answer
		e.joinsBut(s, channel, func(t *thread) bool { return t.repeated })
	} else {
		e.joins(s, channel)
	}
	for _, t := range running { // it makes the next value meanwhile
		if !slices.ContainsFunc(s.threads, func(u *thread) bool { return u.at == t.at }) {
			if ok := e.sym("v" + e.here()); !slices.Contains(e.unfinished[ok], t.at) {
				e.unfinished[ok] = append(e.unfinished[ok], t.at)
			}
			s.threads = append(slices.Clone(s.threads), t)
		}
	}
	if !intake { // the next job says nothing about the last answer
		s.sent = map[ref][]point{}
	}
	e.elsewhere(s)
}

// taken is a value that came from a channel: one of several, so that nothing is known
// about the one that it is.
func (e *engine) taken(s *state, v value) value {
	for i, r := range v.refs {
		if e.objects[r.obj].kind != copied {
			continue
		}
		o := e.fresh(s, fmt.Sprint("taken", i))
		o.kind, o.typ = copied, e.objects[r.obj].typ
		e.copyCells(s, r, ref{o.id, ""})
		for _, c := range s.sortedCells() {
			if old := s.cells[c]; c.obj == o.id && len(old.refs) > 0 {
				old.bits |= lost | many
				s.cells[c] = old
			}
		}
		v.refs = slices.Clone(v.refs)
		v.refs[i] = ref{o.id, r.path}
	}
	return value{refs: to(v.refs...).refs, bits: v.bits, sym: v.sym, num: v.num, parts: v.parts}
}

func (e *engine) acquireToken(s *state, channel value) {
	for _, r := range channel.refs {
		if c := e.objects[r.obj].capacity; c != "" && c != "1" {
			return
		}
	}
	s.acquire("chan " + lockOf(channel))
}

// send notes what is sent on a channel.
func (e *engine) send(s *state, channel, x Operand, element string) {
	v, at := e.operand(s, x), e.operand(s, channel)
	e.uses(s, v, x, kept)
	if e.thread != nil && element != emptyStruct {
		e.thread.sent = true
	}
	e.held(s, v)
	e.signals(at)
	if element == emptyStruct {
		lock := "chan " + lockOf(at)
		if slices.Contains(s.locks, lock) {
			s.release(lock)
		} else {
			e.acquireToken(s, at)
		}
	}
	for _, o := range e.reached(s, v) {
		if _, ok := s.objs[o]; ok {
			s.sent[ref{o, ""}] = e.where()
		}
	}
	for _, r := range at.refs {
		if !e.objects[r.obj].outside {
			e.store(s, to(r).at(elements), v, Reference)
		}
	}
}

// selected follows a select statement to the states after each of its cases.
func (e *engine) selected(s *state, in *Instr) []*state {
	var out []*state
	done := func(s *state, index int) value {
		v := value{parts: make([]value, 2+in.Number)}
		v.parts[0] = value{bits: other, num: fmt.Sprint(index)}
		v.parts[1] = value{sym: e.sym("ok" + e.here())}
		e.forget(s, v.parts[1].sym)
		for i := range in.Number {
			v.parts[2+i] = value{bits: other}
		}
		out = append(out, s)
		return v
	}
	received := 0
	types := strings.Split(in.Type, "|")
	for i := 0; 2*i+1 < len(in.X); i++ {
		next := s.clone()
		channel, x := in.X[2*i], in.X[2*i+1]
		v := done(next, i)
		e.stack[len(e.stack)-1].which = i + 1
		if x != none {
			e.keepsStale(next, e.operand(next, channel), e.operand(next, x), x)
			e.send(next, channel, x, types[i])
		} else {
			at := e.operand(next, channel)
			e.receives(next, at, types[i], false)
			v.parts[2+received] = e.taken(next, e.load(next, at.at(elements), Reference, ""))
			received++
		}
		e.set(next, in.Dst, v)
	}
	if in.Flag {
		next := s.clone()
		e.set(next, in.Dst, done(next, -1))
	}
	return out
}
