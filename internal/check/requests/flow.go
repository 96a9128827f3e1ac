package requests

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A flow follows the memory of a function's parameters through the function and
// those of the package that it calls. Each call has a frame of its own, so that two
// calls of a helper are not mixed up.
type flow struct {
	*program
	root     *frame
	frames   []*frame
	memories []*region // of the parameters
	texts    []*region
	globals  map[*ssa.Global]*region
	// overwritten holds the values that the function gives to fields of parameters'
	// memory, by name.
	overwritten map[string]set
	promoted    map[int]bool
	published   map[*region]bool // fresh memory that is put into other memory than fresh one
	size        int              // instructions in all frames
	changed     bool
	clears      bool // values that are not known overwrite others
	speak       bool // collect the places that keep
	keeps       []Keep
}

// A frame is a function that runs once: a call, or a closure where it is made.
type frame struct {
	fn      *ssa.Function
	up      *frame
	at      ssa.Instruction // in up
	spawner *spawner
	values  map[ssa.Value]set
	tuples  map[component]set
	results []set
	below   map[ssa.Instruction]*frame
	made    map[ssa.Value]*region
}

// A component is one value of a tuple.
type component struct {
	tuple ssa.Value
	index int
}

// A spawner is the statement that leaves a frame to a goroutine.
type spawner struct {
	*frame
	at ssa.Instruction
}

// The limits bound the work on one function. What lies beyond is not followed.
const (
	maxDepth  = 8     // of calls
	maxSize   = 20000 // instructions
	maxRounds = 20
)

// follow follows the parameters of a function to the places that keep their memory.
func (p *program) follow(fn *ssa.Function) *flow {
	f := &flow{program: p, globals: map[*ssa.Global]*region{}, overwritten: map[string]set{}, promoted: map[int]bool{}, published: map[*region]bool{}}
	f.root = f.enter(nil, nil, fn)
	for i, param := range fn.Params {
		f.memories = append(f.memories, &region{kind: memory, param: i})
		f.texts = append(f.texts, &region{kind: text, param: i})
		f.set(f.root, param, set{place{region: f.memories[i]}: true})
	}
	f.solve()
	f.clears = true
	f.solve()
	f.speak = true
	for _, fr := range f.frames {
		f.run(fr)
	}
	f.keeps = slices.DeleteFunc(f.keeps, func(k Keep) bool { return f.promoted[k.Param] })
	return f
}

func (f *flow) solve() {
	for range maxRounds {
		f.changed = false
		for i := 0; i < len(f.frames); i++ { // it grows
			f.run(f.frames[i])
		}
		if !f.changed {
			return
		}
	}
}

func (f *flow) run(fr *frame) {
	for _, b := range fr.fn.Blocks {
		for _, instr := range b.Instrs {
			f.step(fr, instr)
		}
	}
}

// enter returns the frame of a function that an instruction calls, or of a closure
// that it makes, nil if that leads too far.
func (f *flow) enter(up *frame, at ssa.Instruction, fn *ssa.Function) *frame {
	if up != nil && up.below[at] != nil {
		return up.below[at]
	}
	depth := 0
	for fr := up; fr != nil; fr = fr.up {
		if depth++; fr.fn == fn || depth == maxDepth {
			return nil
		}
	}
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	if f.size+size > maxSize && up != nil {
		return nil
	}
	f.size += size
	fr := &frame{
		fn: fn, up: up, at: at,
		values: map[ssa.Value]set{}, tuples: map[component]set{}, below: map[ssa.Instruction]*frame{}, made: map[ssa.Value]*region{},
		results: make([]set, fn.Signature.Results().Len()),
	}
	if up != nil {
		up.below[at] = fr
	}
	f.frames = append(f.frames, fr)
	f.changed = true
	return fr
}

// value returns the places that an operand may refer to.
func (f *flow) value(fr *frame, v ssa.Value) set {
	switch v := v.(type) {
	case *ssa.Global:
		r := f.globals[v]
		if r == nil {
			r = &region{kind: global}
			f.globals[v] = r
		}
		return set{place{region: r}: true}
	case *ssa.FreeVar:
		if closure, ok := fr.at.(*ssa.MakeClosure); ok {
			return f.value(fr.up, closure.Bindings[slices.Index(fr.fn.FreeVars, v)])
		}
		return nil
	}
	return fr.values[v]
}

// set adds places to those that a value may refer to.
func (f *flow) set(fr *frame, v ssa.Value, s set) {
	if s = f.filter(v.Type(), s); len(s) == 0 {
		return
	}
	if fr.values[v] == nil {
		fr.values[v] = set{}
	}
	f.changed = fr.values[v].add(s) || f.changed
}

// result adds places to the i-th result of an instruction.
func (f *flow) result(fr *frame, v ssa.Value, i int, s set) {
	tuple, ok := v.Type().(*types.Tuple)
	if !ok {
		if i == 0 {
			f.set(fr, v, s)
		}
		return
	}
	if i >= tuple.Len() {
		return
	}
	if s = f.filter(tuple.At(i).Type(), s); len(s) == 0 {
		return
	}
	key := component{v, i}
	if fr.tuples[key] == nil {
		fr.tuples[key] = set{}
	}
	f.changed = fr.tuples[key].add(s) || f.changed
}

// filter returns the places that a value of a type can refer to.
func (f *flow) filter(t types.Type, s set) set {
	switch carries(t) {
	case carriesNothing:
		return nil
	case carriesText:
		if aggregate(t) {
			break
		}
		texts := set{}
		for at := range s {
			switch at.kind {
			case memory:
				texts[place{region: f.texts[at.param]}] = true
			case text, textCopied:
				texts[at] = true
			}
		}
		return texts
	}
	return s
}

// fresh returns the place of memory that an instruction allocates.
func (f *flow) fresh(fr *frame, v ssa.Value) place {
	if fr.made[v] == nil {
		fr.made[v] = &region{kind: fresh, fields: map[string]set{}}
	}
	return place{region: fr.made[v]}
}

var (
	copiedPlace     = place{region: &region{kind: copied}}
	textCopiedPlace = place{region: &region{kind: textCopied}}
	aCopy           = set{copiedPlace: true, textCopiedPlace: true}
)
