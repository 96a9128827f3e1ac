package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// place is memory: an object, or a field or the elements of one.
type place int32

// node is a set of places: a variable may point to them, or a place may hold
// pointers to them.
type node int32

// Fields of a place that are not fields of a struct.
const (
	elements = -1 // elements of an array, a slice, a map or a channel
	keys     = -2 // keys of a map
)

// maxFields is the number of levels of fields and elements that are distinct. It bounds
// the nesting that a conversion by unsafe can make.
const maxFields = 6

// maxPlaces is the number of places of an object that are distinct. Where objects of several types
// meet, as in the arguments of a library's function, each gets the fields of all.
const maxPlaces = 32

type memory struct {
	object  int
	depth   int
	fields  map[int]place
	content node
	wide    []node // nodes that read the place with all of its fields
}

// object stands for all that one instruction makes.
type object struct {
	value  ssa.Value // makes the object; nil is outside
	pos    token.Pos
	fn     *ssa.Function
	what   string // "new(T)"
	boxed  types.Type
	code   *ssa.Function // the function, if it is a closure or a function value
	places []place
}

type set struct {
	has    map[place]bool
	all    []place // oldest first
	done   int     // so many of all are propagated
	copies []node
	each   []func(place)
	queued bool
}

// heap holds the constraints of one call and their solution.
type heap struct {
	program *Program
	objects []object
	memory  []memory
	sets    []set
	queue   []node
	steps   int
	check   int // step at which the clock is read next

	values  map[ssa.Value]node
	results map[*ssa.Function][]node
	gives   map[callResult]node // results of calls with several
	callers map[*ssa.Function][]token.Pos
	made    map[ssa.Value]place
	entered map[*ssa.Function]bool
	leaks   []leak
	// trusting says that code that is not followed keeps nothing. What it is given is
	// noted.
	trusting bool
	direct   bool // see Made
	given    []leak
	// textApart says that strings and bytes are not followed.
	textApart bool
	// sites holds the receivers of calls and the arguments by reference.
	sites []leak

	// Of the solution, by object.
	reached []bool
	holder  []int // the object from which it is reached
}

// callResult is one result of a call.
type callResult struct {
	call ssa.Value
	i    int
}

// outside is all memory that does not belong to the call: its arguments, package
// variables, memory that libraries keep. It points to itself.
const outside place = 0

// maxSteps bounds the work on one call. A step takes about 100 ns.
const maxSteps = 5_000_000

// stepsPerCheck is about how many steps are taken between two readings of the clock.
const stepsPerCheck = 100_000

func newHeap(p *Program) *heap {
	h := &heap{program: p, values: map[ssa.Value]node{}, results: map[*ssa.Function][]node{}, gives: map[callResult]node{}, callers: map[*ssa.Function][]token.Pos{},
		made: map[ssa.Value]place{}, entered: map[*ssa.Function]bool{}, sets: make([]set, 1)} // node 0 is of values without pointers
	h.object(object{})
	h.add(h.memory[outside].content, outside)
	h.each(h.memory[outside].content, h.callBack)
	return h
}

func (h *heap) node() node {
	h.sets = append(h.sets, set{})
	return node(len(h.sets) - 1)
}

func (h *heap) object(o object) place {
	h.objects = append(h.objects, o)
	return h.newPlace(len(h.objects)-1, 0)
}

func (h *heap) newPlace(of, depth int) place {
	p := place(len(h.memory))
	h.memory = append(h.memory, memory{object: of, depth: depth, content: h.node()})
	h.objects[of].places = append(h.objects[of].places, p)
	return p
}

// field returns a field of a place. A value stored in the whole is also in the
// field, and a read of the whole reads the field.
func (h *heap) field(p place, i int) place {
	if p == outside || h.memory[p].depth == maxFields {
		return p
	}
	if f, ok := h.memory[p].fields[i]; ok {
		return f
	}
	if len(h.objects[h.memory[p].object].places) == maxPlaces {
		return p
	}
	f := h.newPlace(h.memory[p].object, h.memory[p].depth+1)
	m := &h.memory[p]
	if m.fields == nil {
		m.fields = map[int]place{}
	}
	m.fields[i] = f
	h.copy(m.content, h.memory[f].content)
	for _, n := range m.wide {
		h.readAll(f, n)
	}
	return f
}

// readAll adds to n the contents of a place and its fields, those to come included.
func (h *heap) readAll(p place, n node) {
	m := &h.memory[p]
	if slices.Contains(m.wide, n) {
		return
	}
	m.wide = append(m.wide, n)
	h.copy(m.content, n)
	for _, f := range m.fields {
		h.readAll(f, n)
	}
}

func (h *heap) add(n node, p place) {
	s := &h.sets[n]
	if n == 0 || s.has[p] {
		return
	}
	if s.has == nil {
		s.has = map[place]bool{}
	}
	s.has[p] = true
	s.all = append(s.all, p)
	if !s.queued {
		s.queued = true
		h.queue = append(h.queue, n)
	}
}

// copy lets to have all that from has.
func (h *heap) copy(from, to node) {
	if from == to || from == 0 || to == 0 || slices.Contains(h.sets[from].copies, to) {
		return
	}
	h.sets[from].copies = append(h.sets[from].copies, to)
	for _, p := range h.sets[from].all {
		h.add(to, p)
	}
}

// each calls f for every place in n, those to come included.
func (h *heap) each(n node, f func(place)) {
	if n == 0 {
		return
	}
	h.sets[n].each = append(h.sets[n].each, f)
	for _, p := range h.sets[n].all {
		f(p)
	}
}

// load adds to to the contents of the places in from.
func (h *heap) load(from, to node) {
	if to != 0 {
		h.each(from, func(p place) { h.readAll(p, to) })
	}
}

// store adds the places of value to the contents of those in to.
func (h *heap) store(to, value node) {
	if value != 0 {
		h.each(to, func(p place) { h.copy(value, h.memory[p].content) })
	}
}

// part lets to have a field of the places in from.
func (h *heap) part(from node, i int, to node) {
	h.each(from, func(p place) { h.add(to, h.field(p, i)) })
}

// partOf returns a node of a field of the places in from.
func (h *heap) partOf(from node, i int) node {
	n := h.node()
	h.part(from, i, n)
	return n
}

// solve propagates until nothing changes. It is false where that takes too long.
func (h *heap) solve() bool {
	for len(h.queue) > 0 {
		n := h.queue[len(h.queue)-1]
		h.queue = h.queue[:len(h.queue)-1]
		fresh := h.sets[n].all[h.sets[n].done:]
		h.sets[n].done, h.sets[n].queued = len(h.sets[n].all), false
		copies, each := h.sets[n].copies, h.sets[n].each // those added meanwhile have seen the places
		if h.steps += len(fresh) * (1 + len(copies) + len(each)); h.steps > maxSteps {
			return false
		}
		if h.steps >= h.check {
			if h.program.late() {
				return false
			}
			h.check = h.steps + stepsPerCheck
		}
		for _, p := range fresh {
			for _, to := range copies {
				h.add(to, p)
			}
			for _, f := range each {
				f(p)
			}
		}
	}
	return true
}
