package lifetime

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCount bounds the numbers of holders that are followed.
const maxCount = 8

// countAfter is a number of holders after one of them came or left. The difference is 0 if it is
// not known.
func (e *engine) countAfter(s *state, at, before, difference value) value {
	d, err := strconv.ParseInt(difference.num, 10, 64)
	if err != nil {
		return e.opaque(s)
	}
	if n, err := strconv.ParseInt(before.num, 10, 64); err == nil && n+d >= -1 && n+d <= maxCount {
		return value{bits: other, num: fmt.Sprint(n + d)}
	}
	v := e.opaque(s)
	if d < 0 {
		e.counts[v.sym] = at
	}
	return v
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
	return e.countAfter(s, e.operand(s, load.X[0]), e.operand(s, in.X[0]), difference)
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
		v = e.countAfter(s, at, v, d)
		e.store(s, at, v, Scalar)
		e.set(s, dst, v)
	default:
		e.store(s, at, e.opaque(s), Scalar)
	}
	return states
}

// sharedBy notes a decision by a number of holders that is not known: others may hold the memory,
// or may have ended it.
func (e *engine) sharedBy(s *state, condition int) {
	at, ok := e.counts[condition]
	for _, base := range e.bases[condition] {
		if v, counted := e.counts[base]; counted {
			at, ok = v, true
		}
	}
	if !ok {
		return
	}
	var holders []ref
	for _, r := range at.refs {
		holders = append(holders, ref{r.obj, ""})
	}
	for o := range e.reach(s, to(holders...)) {
		if st := s.objs[o]; st.dead == 0 {
			st.lost, st.own = true, false
			s.objs[o] = st
		}
	}
}
