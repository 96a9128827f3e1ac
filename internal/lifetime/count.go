package lifetime

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCount bounds the numbers of holders that are followed.
const maxCount = 8

// Holders are a number of holders of memory from outside: how many more there are than when the
// function began.
type holders struct {
	base, more int
	at         value // the number
	// taken is set if the function has become a holder of memory that others may give up.
	taken bool
}

// countAfter is a number of holders after some of them came or left.
func (e *engine) countAfter(s *state, at, before, difference value, alone bool) value {
	d, err := strconv.Atoi(difference.num)
	if err != nil {
		return e.opaque(s)
	}
	if n, err := strconv.Atoi(before.num); err == nil && n+d >= -1 && n+d <= maxCount {
		return value{bits: other, num: fmt.Sprint(n + d)}
	}
	h, ok := e.holdings[before.sym]
	if !ok {
		h = holders{base: before.sym}
	}
	h.at, h.more, h.taken = at, h.more+d, h.taken || d > 0 && alone && e.isFound(at)
	if h.base == 0 || h.more < -maxCount || h.more > maxCount {
		v := e.opaque(s)
		e.holdings[v.sym] = holders{base: v.sym, more: -1, at: at}
		return v
	}
	v := value{sym: e.sym(fmt.Sprint("holders ", h.base, h.more, h.taken), h.base)}
	e.forget(s, v.sym)
	e.holdings[v.sym] = h
	return v
}

// isFound reports whether a number belongs to memory that the function has found in other memory.
func (e *engine) isFound(at value) bool {
	return len(at.refs) == 1 && at.bits&lost == 0 && e.objects[at.refs[0].obj].of != nil
}

// computed is the result of an operator. Sums of a field and a constant are followed as far as
// numbers of holders go.
func (e *engine) computed(s *state, in *Instr) value {
	if in.Name != "+" && in.Name != "-" || in.X[1] >= 0 {
		return e.opaque(s)
	}
	load := s.top().code.definition(in.X[0])
	if load == nil || load.Op != Load {
		return e.opaque(s)
	}
	if field := s.top().code.definition(load.X[0]); field == nil || field.Op != Field {
		return e.opaque(s)
	}
	difference := e.operand(s, in.X[1])
	if in.Name == "-" {
		difference.num = "-" + difference.num
	}
	return e.countAfter(s, e.operand(s, load.X[0]), e.operand(s, in.X[0]), difference, len(s.locks) > 0)
}

// atomicCount follows an operation of an atomic number.
func atomicCount(e *engine, s *state, in *Instr, args []value, dst Operand) []*state {
	states := behave(locking)(e, s, in, args, dst)
	at, name := args[0], in.Name[strings.LastIndexByte(in.Name, '.')+1:]
	switch v := e.load(s, at, Scalar, ""); {
	case strings.HasPrefix(name, "Load"):
		e.set(s, dst, v)
	case strings.HasPrefix(name, "Store"):
		e.store(s, at, args[1], Scalar)
	case strings.HasPrefix(name, "Add"):
		d := args[1]
		if d.num == "4294967295" || d.num == "18446744073709551615" { // ^uint32(0) and ^uint64(0)
			d.num = "-1"
		}
		v = e.countAfter(s, at, v, d, true)
		e.store(s, at, v, Scalar)
		e.set(s, dst, v)
	default:
		e.store(s, at, e.opaque(s), Scalar)
	}
	return states
}

// holdersIn is the number of holders on which a condition depends.
func (e *engine) holdersIn(condition int) (h holders, ok bool) {
	if h, ok = e.holdings[condition]; ok {
		return h, true
	}
	for _, base := range e.bases[condition] {
		if h, ok = e.holdings[base]; ok {
			return h, true
		}
	}
	return h, false
}

// otherHolders reports whether a condition holds only if others hold memory as well, which the
// function has given up: it may have been the last holder.
func (e *engine) otherHolders(condition int, truth bool) bool {
	h, ok := e.holdersIn(condition)
	if !ok || h.more != 0 || !h.taken {
		return false
	}
	known, zero := e.tests[condition].within(0, 0)
	return known && zero != truth
}

// sharedBy notes a decision by a number of holders that is not known: others may hold the
// memory, or may have ended it.
func (e *engine) sharedBy(s *state, condition int) {
	h, ok := e.holdersIn(condition)
	if !ok || h.more >= 0 && h.taken || h.more > 0 {
		return
	}
	var all []ref
	for _, r := range h.at.refs {
		all = append(all, ref{r.obj, ""})
	}
	for o := range e.reach(s, to(all...)) {
		if st := s.objs[o]; st.dead == 0 {
			st.lost, st.own = true, false
			s.objs[o] = st
		}
	}
}
