package lifetime

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of the work for one function that is followed with all that it calls.
const (
	maxPrecise  = 15000 // instructions
	maxAgain    = 5000  // instructions without the callee that took most
	maxCoarsely = 10000 // instructions with few states
	maxCall     = 4000  // instructions of one call
	maxStates   = 40    // states of a block
	maxExits    = 12    // states in which a call may return
	maxDepth    = 10    // calls within calls
	maxSmall    = 24    // instructions of a function that is always followed
	maxVisited  = 400   // states that a block was ever in
	maxCoarse   = 3     // states of a block in a function that takes too long otherwise
	maxNarrow   = 8     // states of a block, before anything is left out
	maxJoined   = 1     // states in which a call may return then
)

// An engine follows one function with all that it calls.
type engine struct {
	program *program
	root    *Code
	objects []*object
	byKey   map[string]int
	syms    map[string]int
	bases   map[int][]int
	tests   map[int]test
	// holdings are the numbers of holders of memory.
	holdings map[int]holders
	stack    []point
	deaths   []*death
	byDeath  map[string]int
	steps    int
	coarse   bool // see maxCoarse
	narrow   bool // see maxNarrow
	limit    int
	entered  map[*Code]bool
	// costs are the steps that calls took, by caller and callee, and skipped are the callees
	// that are not followed because they took most of the steps of a caller.
	costs   map[*Code]map[*Code]int
	skipped map[*Code]bool
	// operands are the operands of the call that is followed.
	operands []Operand

	thread     *thread // the goroutine that is followed, nil if none is
	request    value   // the arena of the request, if the function is a handler
	exposes    bool    // see Code
	known      map[string]bool
	reclaimed  map[int]bool // arenas that are freed after a function value was given them
	candidates []*candidate
	observed   map[occasion]observation
	outermost  trail
	nils       map[ref]int
	reachable  edges
	changers   map[cell]*[]string // see settled
	looked     map[cell]bool      // places whose earlier values the function reads
	// unfinished are the goroutines that have ended if a receive from their channel has
	// no value, by the condition of the receive.
	unfinished map[int][]string
	joined     map[string]bool // goroutines for which the function waits on some path
	received   map[string]bool // channels from which a goroutine of the function receives
	counted    map[string]bool // wait groups to which the function adds
}

// tooMuch is the panic of a function that takes too many steps.
type tooMuch struct{}

// An exit is a state in which a function returns.
type exit struct {
	s       *state
	results []value
	at      point
}

func newEngine(p *program, root *Code) *engine {
	return &engine{
		program: p, root: root, limit: maxPrecise,
		byKey: map[string]int{}, syms: map[string]int{}, bases: map[int][]int{}, tests: map[int]test{}, holdings: map[int]holders{}, byDeath: map[string]int{},
		known: map[string]bool{}, reclaimed: map[int]bool{}, observed: map[occasion]observation{}, nils: map[ref]int{}, changers: map[cell]*[]string{}, looked: map[cell]bool{},
		unfinished: map[int][]string{}, joined: map[string]bool{}, received: map[string]bool{}, counted: map[string]bool{},
		objects: []*object{nil}, entered: map[*Code]bool{}, costs: map[*Code]map[*Code]int{}, skipped: map[*Code]bool{},
	}
}

// sym is the number of a name for a value.
func (e *engine) sym(name string, bases ...int) int {
	if n, ok := e.syms[name]; ok {
		return n
	}
	n := len(e.syms) + 1
	e.syms[name] = n
	e.bases[n] = bases
	return n
}

// nilness is the condition that a reference is nil.
func (e *engine) nilness(r ref) int {
	n := e.nils[r]
	if n == 0 {
		n = e.sym(fmt.Sprint("nil", r.obj, r.path))
		e.nils[r] = n
	}
	return n
}

// object returns the object with a key, and makes it if need be.
func (e *engine) object(key string) *object {
	if id, ok := e.byKey[key]; ok {
		return e.objects[id]
	}
	o := &object{id: len(e.objects), key: key, at: slices.Clone(e.stack)}
	e.objects = append(e.objects, o)
	e.byKey[key] = o.id
	return o
}

// fresh returns the object that the current instruction makes. The one that it made
// in an earlier iteration becomes another object.
func (e *engine) fresh(s *state, suffix string) *object { return e.renewed(s, e.here()+suffix) }

// renewed returns the object with a key. If there is one already, that becomes an
// object of the past.
func (e *engine) renewed(s *state, key string) *object {
	o := e.object(key)
	if _, made := s.objs[o.id]; made {
		if o.old == nil {
			o.old = e.object(o.key + "~")
			o.old.aged = true
		}
		e.remade(s, o)
		kept := *o
		kept.id, kept.key, kept.old, kept.aged = o.old.id, o.old.key, nil, true
		*o.old = kept
		s.rename(o.id, o.old.id)
	}
	s.objs[o.id] = status{}
	if e.thread != nil && !o.outside {
		e.thread.begun[o.id] = true
	}
	return o
}

// run follows the function on top of the state to its ends.
func (e *engine) run(s *state) []exit {
	code := s.top().code
	seen := make([]map[digest]*state, len(code.Blocks))
	order := make([][]digest, len(code.Blocks)) // the keys of seen, oldest first
	visits := make([]int, len(code.Blocks))
	type job struct {
		block int
		s     *state
	}
	var exits []exit
	byExit := map[digest]bool{}
	queue := []job{{0, s}}
	level := len(e.stack)
	enter := func(from, to int, s *state) {
		e.phis(s, code, from, to)
		e.prune(s, to)
		e.collect(s)
		key := s.key()
		if seen[to] == nil {
			seen[to] = map[digest]*state{}
		}
		if seen[to][key] != nil {
			return
		}
		e.steps += 2 + (len(s.cells)+len(s.objs))/8
		if visits[to]++; visits[to] > maxVisited || e.steps > e.limit {
			panic(tooMuch{})
		}
		if n := len(seen[to]); n >= maxStates || e.narrow && n >= maxNarrow || e.coarse && n >= maxCoarse {
			fates := s.fates()
			joined := false
			for i, k := range order[to] {
				o := seen[to][k]
				if o.fates() != fates || !sameDefers(o, s) {
					continue
				}
				o = o.clone()
				o.join(s)
				if o.key() == k {
					return
				}
				delete(seen[to], k)
				order[to] = slices.Delete(order[to], i, i+1)
				s, key, joined = o, o.key(), true
				break
			}
			if !joined { // the oldest state takes what is different
				k := order[to][0]
				o := seen[to][k].clone()
				if !sameDefers(o, s) {
					panic(tooMuch{})
				}
				o.widen(s)
				if o.key() == k {
					return
				}
				delete(seen[to], k)
				order[to] = order[to][1:]
				s, key = o, o.key()
			}
		}
		s.blurred = s.blurred || e.narrow && len(seen[to]) >= maxNarrow-1 || e.coarse && len(seen[to]) >= maxCoarse-1
		if seen[to][key] == nil {
			order[to] = append(order[to], key)
		}
		seen[to][key] = s
		queue = append(queue, job{to, s.clone()})
	}
	for len(queue) > 0 {
		// The states of a block that comes first are followed first, so that
		// those after it wait for all of them.
		first := 0
		for i, j := range queue {
			if j.block < queue[first].block {
				first = i
			}
		}
		j := queue[first]
		queue = slices.Delete(queue, first, first+1)
		e.block(j.s, code, j.block, 0, level, func(s *state, to int) { enter(j.block, to, s) }, func(x exit) {
			var key digest
			for _, r := range x.results {
				key = key.withValue(r)
			}
			x.s.frames = slices.Clone(x.s.frames[:len(x.s.frames)-1])
			x.s.ownTop()
			key = key.with(int(x.s.heap()))
			if level == 0 {
				key = key.with(x.at.block).with(x.at.index)
			}
			if byExit[key] {
				return
			}
			byExit[key] = true
			if e.coarse && len(exits) >= maxCoarse && level > 0 {
				exits[len(exits)-1].widen(x)
				return
			}
			if (len(exits) >= maxExits || e.narrow && len(exits) >= maxJoined) && level > 0 && e.joinsExit(exits, x) {
				return
			}
			if len(exits) >= maxExits && level > 0 || len(exits) >= maxVisited {
				panic(tooMuch{})
			}
			exits = append(exits, x)
		})
	}
	return exits
}

func sameDefers(a, b *state) bool {
	return slices.EqualFunc(a.top().defers, b.top().defers, func(x, y deferral) bool { return x.key == y.key })
}

// phis sets the registers that depend on the block from which control comes.
func (e *engine) phis(s *state, code *Code, from, to int) {
	b := &code.Blocks[to]
	pred := slices.Index(b.Preds, from)
	var set []value
	n := 0
	for ; n < len(b.Instrs) && b.Instrs[n].Op == Phi; n++ {
		v := e.operand(s, b.Instrs[n].X[pred])
		if b.Instrs[n].Class == Scalar && v.sym == 0 && v.bits == 0 && v.num == "" {
			v.sym = e.sym(fmt.Sprint(s.top().ctx, "phi", to, ".", n))
			e.forget(s, v.sym)
		}
		set = append(set, v)
	}
	for i, v := range set {
		s.top().put(b.Instrs[i].Dst, v)
	}
}

// block follows the instructions of a block from the index i.
func (e *engine) block(s *state, code *Code, b, i, level int, enter func(s *state, to int), leave func(exit)) {
	block := &code.Blocks[b]
	for ; i < len(block.Instrs); i++ {
		in := &block.Instrs[i]
		if in.Op == Phi {
			continue
		}
		if e.steps++; e.steps > e.limit {
			panic(tooMuch{})
		}
		e.stack = append(e.stack[:level], point{code: code, block: b, index: i, in: in, args: s.top().args})
		switch in.Op {
		case Return:
			results := make([]value, len(in.X))
			for n, x := range in.X {
				results[n] = e.operand(s, x)
			}
			at := e.stack[level]
			e.returned(s, in, results)
			e.stack = e.stack[:level]
			leave(exit{s, results, at})
			return
		case Panic:
			e.panics(s, in)
			e.stack = e.stack[:level]
			return
		case Branch:
			e.branch(s, in, block, enter)
			e.stack = e.stack[:level]
			return
		case Call, RunDefers, Select:
			states := e.calls(s, in)
			e.stack = e.stack[:level]
			if len(states) == 1 {
				s = states[0]
				continue
			}
			for _, next := range states {
				e.block(next, code, b, i+1, level, enter, leave)
			}
			return
		case Load:
			states := e.picks(s, in)
			if len(states) == 0 {
				e.step(s, in)
				continue
			}
			e.uses(s, e.operand(s, in.X[0]), in.X[0], read)
			for _, next := range states {
				e.stack = e.stack[:level]
				e.block(next, code, b, i+1, level, enter, leave)
			}
			return
		default:
			e.step(s, in)
		}
	}
	e.stack = e.stack[:level]
	if len(block.Succs) > 0 {
		enter(s, block.Succs[0])
	}
}

// operand is the value of an operand.
func (e *engine) operand(s *state, x Operand) value {
	if x == none {
		return value{}
	}
	if x >= 0 {
		v := s.top().reg(x)
		// The states that became one may have had a reference each.
		if e.coarse && len(v.refs) > 1 {
			v.bits |= lost
		}
		return v
	}
	switch c := s.top().code.Consts[^x]; c.Kind {
	case Nil:
		return value{bits: null}
	case True:
		return value{bits: yes}
	case False:
		return value{bits: no}
	case Number:
		if c.Name == `""` {
			return value{bits: null}
		}
		return value{bits: other, num: c.Name}
	case Global:
		o := e.object("global " + c.Name)
		o.outside, o.name = true, c.Name[strings.LastIndexByte(c.Name, '.')+1:]
		return to(ref{o.id, ""})
	case Function:
		o := e.object("function " + c.Name)
		o.kind, o.code = closure, c.Name
		return to(ref{o.id, ""})
	}
	return value{bits: other}
}

func (e *engine) set(s *state, r Operand, v value) {
	if r != none {
		s.top().put(r, v)
	}
}
