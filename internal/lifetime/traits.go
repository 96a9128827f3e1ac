package lifetime

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

func isPool(name string) bool { return name == "(*sync.Pool).Get" || name == "(*sync.Pool).Put" }

// mentions are the functions that a function calls or mentions.
func (c *Code) mentions() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, k := range c.Consts {
			if k.Kind == Function && !yield(k.Name) {
				return
			}
		}
		for _, in := range c.instrs() {
			switch in.Op {
			case Call, Go, Defer, Closure:
				if in.Name != "" && !yield(in.Name) {
					return
				}
			}
		}
	}
}

// examine follows a function after those that it calls, unless neither it nor they
// begin or end memory.
func (p *program) examine(c *Code) {
	if c == nil || c.src == nil {
		return
	}
	if _, begun := p.touches[c.Name]; begun {
		return
	}
	p.touches[c.Name] = false
	found := false
	for name := range c.mentions() {
		_, api := arenaName(name)
		callee := p.codes[name]
		p.examine(callee)
		found = found || api || isPool(name) || callee != nil && (callee.Exposes || p.touches[name] && callee.callsBack()) ||
			p.survey.freeOnReceive && strings.HasSuffix(name, ").Recv")
	}
	if _, ok := p.survey.requests[c.Name]; ok {
		found = true
	}
	p.touches[c.Name] = found
	switch {
	case !found:
	case c.src.Parent() != nil &&
		c.src.Parent().Synthetic != "package initializer": // it is followed where it is called
		c.Exposes = true
	default:
		p.faults = append(p.faults, p.follow(c)...)
	}
}

// callsBack reports whether a function calls a function value, or a method of an interface
// that is its parameter, which it may lend memory.
func (c *Code) callsBack() bool {
	for _, in := range c.instrs() {
		if in.Op == Call && (in.Name == "" || in.Flag && len(in.X) > 2 && in.X[1] >= 0 && int(in.X[1]) < len(c.Params)) {
			return true
		}
	}
	return false
}

// concerns reports whether a call has to be followed into the callee.
func (e *engine) concerns(s *state, c *Code, args []value) bool {
	if c.Exposes || c.small() || e.thread != nil {
		return true
	}
	for o := range e.reach(s, args...) {
		st, at := s.objs[o], e.objects[o]
		if st.dead != 0 || st.arena != 0 || st.pooled || at.kind == anArena || at.kind == closure {
			return true
		}
	}
	return false
}

// small reports whether a function is as short as an accessor.
func (c *Code) small() bool {
	n := 0
	for b := range c.Blocks {
		n += len(c.Blocks[b].Instrs)
	}
	return n <= maxSmall && !c.Long
}

// maxQuiet bounds the functions that a quiet one calls.
const maxQuiet = 30

// quiet reports whether a function, and all that it calls, only read.
func (p *program) quiet(c *Code) bool {
	known, ok := p.silent[c.Name]
	if ok {
		return known
	}
	all := []*Code{c}
	for i := 0; i < len(all); i++ {
		callees, ok := p.onlyReads(all[i])
		for _, callee := range callees {
			if !slices.Contains(all, callee) {
				all = append(all, callee)
			}
		}
		if !ok || len(all) > maxQuiet {
			p.silent[c.Name] = false
			return false
		}
	}
	p.silent[c.Name] = true
	return true
}

// onlyReads reports whether the instructions of a function only read, and returns the functions of
// the package that it calls.
func (p *program) onlyReads(c *Code) (callees []*Code, ok bool) {
	if c.Long {
		return nil, false
	}
	for _, in := range c.instrs() {
		switch in.Op {
		case Store:
			if !c.local(in.X[0]) {
				return nil, false
			}
		case Update, Send, Receive, Select, Go, Defer, Closure:
			return nil, false
		case Call:
			callee := p.codes[in.Name]
			if in.Name == "" || in.Flag || callee == nil && contractOf(in.Name) != reads && in.Name != "len" &&
				in.Name != "cap" {
				return nil, false
			}
			if callee != nil {
				callees = append(callees, callee)
			}
		}
	}
	return callees, true
}

// local reports whether an address belongs to a variable of the function.
func (c *Code) local(x Operand) bool {
	for def := c.definition(x); def != nil; def = c.definition(def.X[0]) {
		switch def.Op {
		case Alloc:
			return true
		case Field, Index:
		default:
			return false
		}
	}
	return false
}

// isReused reports whether a field's slice is cut to length 0 to be filled again, and
// is never set to nil, so that its memory stays with the struct.
func (p *program) isReused(field string) bool {
	if p.reused == nil {
		p.reused = map[string]bool{}
		dropped := map[string]bool{}
		for _, c := range p.codes {
			for _, in := range c.instrs() {
				switch {
				case in.Op == Move && in.Name == "cut":
					if load := c.definition(in.X[0]); load != nil && load.Op == Load {
						if f := c.definition(load.X[0]); f != nil && f.Op == Field && f.Type != "" {
							p.reused[f.Type+f.Name] = true
						}
					}
				case in.Op == Store && in.X[1] < 0 && c.Consts[^in.X[1]].Kind == Nil:
					if f := c.definition(in.X[0]); f != nil && f.Op == Field {
						dropped[f.Type+f.Name] = true
					}
				}
			}
		}
		maps.DeleteFunc(p.reused, func(f string, _ bool) bool { return dropped[f] })
	}
	return p.reused[field]
}
