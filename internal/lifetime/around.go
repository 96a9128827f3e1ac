package lifetime

import (
	"slices"
	"strings"
)

const serveHTTP = "(net/http.Handler).ServeHTTP"

// The places of a request that are read as a whole.
const (
	requestHeader = "net/http.Request.Header"
	requestURL    = "net/http.Request.URL"
)

// readLate returns the places that handlers around arenahttp.NewHandler read when the inner handler
// has returned, and with it the arena of the request has ended.
func (p *program) readLate(codes []*Code) map[string]bool {
	around, late := p.around(codes), map[string]bool{}
	for _, c := range codes {
		if c.src == nil || !around[c.Name] && (c.src.Parent() == nil || !around[nameOf(c.src.Parent())]) {
			continue
		}
		for at, in := range c.instrs() {
			if in.Op == Call && in.Name == serveHTTP {
				p.lateReads(c, at, late)
			}
		}
	}
	return late
}

// lateReads notes the places that a function, and the functions that it defers, read after a call.
func (p *program) lateReads(c *Code, from spot, late map[string]bool) {
	for _, in := range c.instrs() {
		if in.Op == Defer && in.X[0] != none {
			for _, name := range c.functionsIn(in.X[0]) {
				if deferred := p.codes[name]; deferred != nil {
					deferred.reads(func(spot) bool { return true }, late)
				}
			}
		}
	}
	c.reads(func(at spot) bool { return c.follows(from, at) }, late)
}

// reads notes the places that a function reads, and does not set, where it counts.
func (c *Code) reads(counts func(spot) bool, places map[string]bool) {
	var read, set []string
	for at, in := range c.instrs() {
		if in.Op != Load && in.Op != Store || !counts(at) {
			continue
		}
		def := c.definition(in.X[0])
		if def == nil || def.Op != Field || def.Type == "" {
			continue
		}
		switch place := def.Type + def.Name; {
		case in.Op == Store:
			set = append(set, place)
		case place == requestURL && c.onlyFields(in.Dst):
		default:
			read = append(read, place)
		}
	}
	for _, place := range read {
		places[place] = places[place] || !slices.Contains(set, place)
	}
}

// onlyFields reports whether a function only takes fields of a pointer.
func (c *Code) onlyFields(reg Operand) bool {
	return !slices.ContainsFunc(c.uses(reg), func(use *Instr) bool { return use.Op != Field })
}

// around are the functions that get a handler from arenahttp.NewHandler, or make a function that
// has captured one, and the methods of the types that hold one.
func (p *program) around(codes []*Code) map[string]bool {
	all := map[string]bool{}
	for _, c := range codes {
		for _, in := range c.instrs() {
			switch {
			case in.Op == Call && !in.Flag && p.codes[in.Name] != nil:
				if slices.ContainsFunc(in.X[1:], func(x Operand) bool { return c.ownsArena(x, 0) }) {
					all[in.Name] = true
				}
			case in.Op == Closure:
				if slices.ContainsFunc(in.X, func(x Operand) bool { return c.ownsArena(x, 0) }) {
					all[in.Name] = true
				}
			case in.Op == Store && c.ownsArena(in.X[1], 0):
				if at := c.definition(in.X[0]); at != nil && at.Op == Field {
					all["("+at.Type+").ServeHTTP"], all["(*"+at.Type+").ServeHTTP"] = true, true
				}
			}
		}
	}
	return all
}

// ownsArena reports whether a value is a handler of arenahttp.NewHandler, or one around it.
func (c *Code) ownsArena(x Operand, depth int) bool {
	def := c.definition(x)
	if def == nil || depth > 6 {
		return false
	}
	switch def.Op {
	case Move, Wrap, Load:
		return c.ownsArena(def.X[0], depth+1)
	case Alloc: // a variable
		return slices.ContainsFunc(c.stores(x), func(in *Instr) bool {
			return in.X[0] == x && c.ownsArena(in.X[1], depth+1)
		})
	case Call:
		if strings.HasSuffix(def.Name, "/arenahttp.NewHandler") {
			return true
		}
		v, ok := def.value()
		return ok && strings.HasPrefix(typeName(v.Type()), "net/http.Handler") &&
			slices.ContainsFunc(def.X[1:], func(x Operand) bool { return c.ownsArena(x, depth+1) })
	}
	return false
}

// readsLate reports whether a handler around the one that is followed reads a cell of the request,
// or of a value in its context.
func (e *engine) readsLate(c cell) bool {
	late := e.program.survey.late
	if len(late) == 0 {
		return false
	}
	for {
		o := e.objects[c.obj]
		place := e.placeOf(c)
		if late[place] || strings.HasPrefix(place, "net/url.URL.") && late[requestURL] {
			return true
		}
		if o.of == nil || strings.HasPrefix(place, "net/url.URL.") {
			return false
		}
		c = cell(*o.of)
	}
}

// contextValue is the value in the context of a request that a handler around NewHandler reads
// later.
func (e *engine) contextValue(s *state, in *Instr) (value, bool) {
	call := s.top().code.definition(in.X[0])
	typ := strings.TrimPrefix(in.Type, "*")
	if call == nil || call.Op != Call || call.Name != "(context.Context).Value" || typ == in.Type || typ == "" {
		return value{}, false
	}
	for place := range e.program.survey.late {
		if strings.HasPrefix(place, typ+".") {
			o := e.object("context's value " + typ)
			o.outside, o.typ, o.name = true, typ, "the context's value"
			if _, had := s.objs[o.id]; !had {
				s.objs[o.id] = status{}
			}
			return value{refs: []ref{{o.id, ""}}, bits: null}, true
		}
	}
	return value{}, false
}
