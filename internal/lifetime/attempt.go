package lifetime

import "slices"

// exits follows a function with its arguments. It gives up if that takes too long.
func (e *engine) exits(s *state, code *Code, args []value) (out []exit, ok bool) {
	if len(s.frames) >= maxDepth || e.depth(s, code) > 1 || e.program.tooLong[code.Name] > 1 || e.skipped[code] ||
		code.Long {
		return nil, false
	}
	caller, before := s.top().code, e.steps
	delete(e.costs, code)
	out, ok = e.attempt(s, code, args, maxCall)
	if heavy := e.heaviest(code, e.steps-before); !ok && heavy != nil {
		e.skipped[heavy] = true
		out, ok = e.attempt(s, code, args, maxCall/2)
	}
	if !ok {
		e.program.tooLong[code.Name]++
	}
	if e.costs[caller] == nil {
		e.costs[caller] = map[*Code]int{}
	}
	e.costs[caller][code] += e.steps - before
	return out, ok
}

// heaviest is the callee that took the largest part of the steps of a function, nil if all took
// few. Without it, the rest can be followed.
func (e *engine) heaviest(code *Code, steps int) (heavy *Code) {
	most := steps / 4
	for callee, cost := range e.costs[code] {
		if callee != code && (cost > most || heavy != nil && cost == most && callee.Name < heavy.Name) {
			heavy, most = callee, cost
		}
	}
	return heavy
}

// attempt follows a call within a number of steps.
func (e *engine) attempt(s *state, code *Code, args []value, steps int) (out []exit, ok bool) {
	before := s.clone()
	e.steps += (len(s.cells) + len(s.objs)) / 8
	level, limit, entered := len(e.stack), e.limit, e.entered[code]
	// The caller goes on with the rest of its steps.
	e.limit = e.steps + min(steps, (limit-e.steps)*3/4)
	defer func() {
		r := recover()
		e.limit = limit
		if r == nil {
			return
		}
		if _, much := r.(tooMuch); !much || e.steps >= limit {
			panic(r)
		}
		if !entered { // a literal is followed for itself
			delete(e.entered, code)
		}
		e.stack = e.stack[:level]
		*s = *before
		out, ok = nil, false
	}()
	stack := slices.Clone(e.stack)
	e.push(s, code, args)
	out = e.run(s)
	e.stack = append(e.stack[:0], stack...)
	for _, x := range out {
		e.left(x.s, before, code)
	}
	return out, true
}

// follow follows a function, and the functions in it that it does not call. If that takes too
// long, it does so again with fewer states, then without the callees that took many steps, and then
// with few states for each block.
func (p *program) follow(code *Code) (faults []Fault) {
	e := newEngine(p, code)
	ok := e.reachesEnd(code)
	if costs := e.costs; !ok {
		e = newEngine(p, code)
		e.narrow, e.limit = true, maxCoarsely
		if ok = e.reachesEnd(code); !ok {
			e.costs = costs
		}
	}
	if e.heaviest(code, maxPrecise) != nil && !ok {
		costs := e.costs[code]
		e = newEngine(p, code)
		e.limit = maxAgain
		for callee, cost := range costs {
			e.skipped[callee] = cost > maxPrecise/8
		}
		ok = e.reachesEnd(code)
	}
	if !ok {
		entered := e.entered
		e = newEngine(p, code)
		e.coarse, e.limit, e.entered = true, maxCoarsely, entered
		if !e.reachesEnd(code) {
			e.candidates = nil
		}
	}
	faults = e.faults()
	code.Exposes = e.exposes
	for _, anon := range code.src.AnonFuncs {
		if c := p.codes[nameOf(anon)]; c != nil && !e.entered[c] && p.touches[c.Name] {
			faults = append(faults, p.follow(c)...)
		}
	}
	return faults
}

// reachesEnd follows the function of the engine, and reports whether it could follow all paths.
func (e *engine) reachesEnd(code *Code) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, much := r.(tooMuch); !much {
				panic(r)
			}
		}
	}()
	s := newState()
	e.push(s, code, e.parameters(s, code))
	for _, x := range e.run(s) {
		e.stack = []point{x.at}
		if len(e.request.refs) > 0 {
			e.ends(x.s, e.request, none, freed, 0)
		}
		e.returnsBorrowed(x)
		e.finish(x)
	}
	return true
}

// widen makes an exit stand for another one as well.
func (x *exit) widen(y exit) {
	x.s.widen(y.s)
	x.s.blurred = true
	for i := range x.results {
		x.results[i] = union(x.results[i], y.results[i])
	}
}

// joinsExit lets the last exit that can stand for another one as well do so. Ends of a goroutine
// differ in more than their states show.
func (e *engine) joinsExit(exits []exit, x exit) bool {
	if e.thread != nil {
		return false
	}
	for _, old := range slices.Backward(exits) {
		if !e.compatible(old.s, x.s) {
			continue
		}
		for o, st := range x.s.objs {
			old.s.objs[o] = st
		}
		old.s.join(x.s)
		old.s.blurred = old.s.blurred || e.narrow
		for n := range old.results {
			old.results[n] = union(old.results[n], x.results[n])
		}
		return true
	}
	return false
}

// compatible reports whether the objects that two states share have the same fates, and each arena
// is in both.
func (e *engine) compatible(a, b *state) bool {
	beside := len(a.threads) + len(b.threads) + len(a.sent) + len(b.sent)
	if beside > 0 || !slices.Equal(a.locks, b.locks) || a.order != b.order {
		return false
	}
	for _, pair := range [][2]*state{{a, b}, {b, a}} {
		for o, st := range pair[0].objs {
			other, had := pair[1].objs[o]
			if had && !st.same(other) || !had && e.objects[o].kind == anArena {
				return false
			}
		}
	}
	return true
}

func (st status) same(o status) bool {
	return st.dead == o.dead && st.lost == o.lost && st.arena == o.arena && st.own == o.own &&
		st.loaned == o.loaned && st.pooled == o.pooled && slices.Equal(st.marks, o.marks)
}
