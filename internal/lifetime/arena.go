package lifetime

import (
	"slices"
	"strings"
)

// An effect is what a function of a library does with its arguments.
type effect func(e *engine, s *state, in *Instr, args []value, dst Operand) []*state

// x is the operand of the i-th argument.
func (e *engine) x(i int) Operand {
	if i < len(e.operands) {
		return e.operands[i]
	}
	return none
}

// simple makes an effect that leads to one state.
func simple(f func(e *engine, s *state, in *Instr, args []value) value) effect {
	return func(e *engine, s *state, in *Instr, args []value, dst Operand) []*state {
		e.set(s, dst, f(e, s, in, args))
		return []*state{s}
	}
}

// arenaEffects returns the functions of the arena packages, without the path.
func arenaEffects() map[string]effect {
	return map[string]effect{
		"NewArena":         simple(begin),
		"(*Pool).Get":      simple(begin),
		"New":              simple(allocate),
		"MakeSlice":        simple(allocate),
		"AlignedBytes":     simple(allocate),
		"ReflectNew":       simple(allocate),
		"NewMap":           simple(allocate),
		"NewBuffer":        simple(allocate),
		"NewSlab":          simple(allocate),
		"String":           simple(copyInto),
		"Bytes":            simple(copyInto),
		"Concat":           simple(copyInto),
		"Append":           simple(appendInto),
		"Clone":            simple(cloneOut),
		"Promote":          simple(promote),
		"NewContext":       simple(holding("context")),
		"FromContext":      simple(fromContext),
		"(*Arena).Mark":    simple(mark),
		"(*Arena).Stats":   simple(usesFirst),
		"(*Arena).Trim":    simple(usesFirst),
		"(*Arena).Retain":  simple(usesFirst),
		"(*Arena).Free":    end(freed),
		"(*Arena).Reset":   end(reset),
		"(*Arena).ResetTo": end(rewound),

		"(*Slab).New":       simple(slabbed),
		"(*Slab).MakeSlice": simple(slabbed),

		"(*Map).Set": simple(setInMap),
		"(*Map).Get": simple(getFromMap),
		"(*Map).At": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.races(s, args[0].at(inside), e.x(0), false)
			e.usesOwner(s, args[0], e.x(0))
			return args[0].at(elements)
		}),
		"(*Map).All": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.looksInside(s, args[0])
			return args[0].at(pairs)
		}),
		"(*Map).Len":    simple(usesFirst),
		"(*Map).Clear":  simple(usesFirst),
		"(*Map).Delete": simple(usesFirst),

		"(*Buffer).Write":       simple(grow),
		"(*Buffer).WriteString": simple(grow),
		"(*Buffer).WriteByte":   simple(grow),
		"(*Buffer).ReadFrom":    simple(grow),
		"(*Buffer).Len":         simple(usesFirst),
		"(*Buffer).Bytes": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.looksInside(s, args[0])
			return args[0].at(".%text")
		}),
		"(*Buffer).String": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.looksInside(s, args[0])
			return args[0].at(".%text")
		}),

		"Unmarshal":                          simple(decode),
		"UnmarshalJSON":                      simple(decode),
		"(UnmarshalOptions).Unmarshal":       simple(decodeWith),
		"(UnmarshalOptions).UnmarshalPieces": simple(decodeWith),
		"(UnmarshalJSONOptions).Unmarshal":   simple(decodeWith),
		"Into":                               simple(holding(intoArena)),
		"(ClientOptions).Into": simple(func(e *engine, s *state, in *Instr, args []value) value {
			v := holding(intoArena)(e, s, in, args)
			s.cells[cell{v.refs[0].obj, ".Text"}] = e.load(s, args[0].at(".Text"), Scalar, "")
			return v
		}),
		"NewHandler": simple(newHandler),
	}
}

// inside stands for the contents of a Map or a Buffer, which move when it grows.
const inside = ".%inside"

// looksInside notes that the contents of a Map or a Buffer are read.
func (e *engine) looksInside(s *state, container value) {
	e.uses(s, container, e.x(0), passed)
	e.races(s, container.at(inside), e.x(0), false)
}

// pairs is the path of the iterator over a Map.
const pairs = ".%all"

// begin begins an arena.
func begin(e *engine, s *state, in *Instr, args []value) value {
	if strings.HasSuffix(in.Name, ").Get") && args[0].definitelyNil() {
		return value{bits: null} // a nil pool has nil arenas
	}
	o := e.fresh(s, "arena")
	o.kind = anArena
	s.objs[o.id] = status{own: true}
	return to(ref{o.id, ""})
}

// memoryOf returns new memory of the arenas in a value.
func (e *engine) memoryOf(s *state, a value, x Operand) value {
	e.usesArena(s, a, x)
	e.allocates(s, a, x)
	if len(a.refs) != 1 {
		return value{bits: other | lost*bits(min(len(a.refs), 1))}
	}
	return to(ref{e.inArena(s, a.refs[0].obj, "").id, ""})
}

func (e *engine) inArena(s *state, arena int, suffix string) *object {
	o := e.fresh(s, "memory"+suffix)
	o.owner = arena
	s.objs[o.id] = status{arena: arena, marks: e.marks(s, arena)}
	return o
}

func allocate(e *engine, s *state, in *Instr, args []value) value {
	if len(args) == 0 {
		return value{bits: other}
	}
	v := e.memoryOf(s, args[0], e.x(0))
	for _, r := range v.refs {
		o := e.objects[r.obj]
		o.typ = strings.TrimPrefix(in.Type, "*")
		o.slab = strings.HasSuffix(in.Name, "arena.NewSlab")
		o.roomy = strings.HasSuffix(in.Name, "arena.NewBuffer") && len(args) > 1 && args[1].num == ""
	}
	return v
}

func copyInto(e *engine, s *state, in *Instr, args []value) value {
	for i, a := range args[1:] {
		e.uses(s, a, e.x(i+1), passed)
	}
	return allocate(e, s, in, args)
}

func appendInto(e *engine, s *state, in *Instr, args []value) value {
	v := allocate(e, s, in, args)
	e.uses(s, args[1], e.x(1), passed)
	if len(args) > 2 {
		e.adds(s, in, args[1], args[2])
		e.adds(s, in, v, args[1])
		e.adds(s, in, v, args[2])
	}
	return value{refs: union(v, args[1]).refs}
}

// cloneOut makes a copy on the heap that refers to the same values.
func cloneOut(e *engine, s *state, in *Instr, args []value) value {
	e.uses(s, args[0], e.x(0), passed)
	if in.Class == Text || len(args[0].refs) == 0 {
		return e.resultOf(s, in)
	}
	o := e.fresh(s, "clone")
	o.typ = strings.TrimPrefix(in.Type, "*")
	for _, r := range args[0].refs {
		e.copyCells(s, r, ref{o.id, ""})
	}
	return to(ref{o.id, ""})
}

// promote makes a deep copy on the heap. What lies on the heap already gets copies of what
// it refers to.
func promote(e *engine, s *state, in *Instr, args []value) value {
	for i, a := range args {
		e.uses(s, a, e.x(i), passed)
	}
	reached := e.reach(s, args...)
	for c, v := range s.cells {
		if reached[c.obj] && s.objs[c.obj].arena == 0 && e.objects[c.obj].kind == memory && len(v.refs) > 0 {
			v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r ref) bool { return s.objs[r.obj].arena != 0 })
			v.bits |= other
			s.cells[c] = v
		}
	}
	return e.resultOf(s, in)
}

func usesFirst(e *engine, s *state, in *Instr, args []value) value {
	e.usesOwner(s, args[0], e.x(0))
	return e.resultOf(s, in)
}

// usesOwner notes a use of an arena, or of a value that allocates in one.
func (e *engine) usesOwner(s *state, v value, x Operand) {
	e.usesArena(s, v, x)
	for _, r := range v.refs {
		if a := s.objs[r.obj].arena; a != 0 && s.objs[r.obj].dead == 0 {
			e.usesArena(s, to(ref{a, ""}), x)
			if e.objects[r.obj].kind != anArena {
				e.allocates(s, to(ref{a, ""}), x)
			}
		}
	}
}

func slabbed(e *engine, s *state, in *Instr, args []value) value {
	e.usesOwner(s, args[0], e.x(0))
	if len(args[0].refs) != 1 || s.objs[args[0].refs[0].obj].arena == 0 {
		return e.resultOf(s, in)
	}
	o := e.inArena(s, s.objs[args[0].refs[0].obj].arena, "")
	o.typ = strings.TrimPrefix(in.Type, "*")
	return to(ref{o.id, ""})
}

func setInMap(e *engine, s *state, in *Instr, args []value) value {
	grow(e, s, in, args)
	e.store(s, args[0].at(keys), args[1], Reference)
	e.store(s, args[0].at(elements), args[2], Reference)
	return value{}
}

func getFromMap(e *engine, s *state, in *Instr, args []value) value {
	e.usedByMethod(s, args[0], e.x(0))
	e.looksInside(s, args[0])
	v := e.load(s, args[0].at(elements), Reference, "")
	v.bits |= null
	return value{parts: []value{v, e.opaque(s)}}
}

// grow uses a Map or a Buffer, which may grow.
func grow(e *engine, s *state, in *Instr, args []value) value {
	e.usesOwner(s, args[0], e.x(0))
	e.races(s, args[0].at(inside), e.x(0), true)
	for i, a := range args[1:] {
		e.uses(s, a, e.x(i+1), passed)
	}
	e.grown(s, args[0])
	return e.resultOf(s, in)
}

// writes notes that code which is not followed may write to the buffers of arenas that it
// is given.
func (e *engine) writes(s *state, v value, x Operand) {
	for _, r := range v.refs {
		if e.objects[r.obj].typ == ours+".Buffer" && r.path == "" && s.objs[r.obj].dead == 0 {
			e.usesOwner(s, to(r), x)
			e.grown(s, to(r))
		}
	}
}

// grown notes that a Map or a Buffer may have moved, and lies after all checkpoints now. A
// Buffer whose size was computed is taken to have room.
func (e *engine) grown(s *state, v value) {
	for _, r := range v.refs {
		if st := s.objs[r.obj]; st.arena != 0 && st.dead == 0 && !e.objects[r.obj].roomy {
			st.marks = e.marks(s, st.arena)
			s.objs[r.obj] = st
		}
	}
}

// marks are the checkpoints of an arena that are valid.
func (e *engine) marks(s *state, arena int) (all []int) {
	for _, id := range sortedKeys(s.objs) {
		if c := s.objs[id]; e.objects[id].kind == checkpoint && c.arena == arena && c.dead == 0 {
			all = append(all, id)
		}
	}
	return all
}

// holding returns a holder of the arguments, which is marked as what holds them.
func holding(mark string) func(e *engine, s *state, in *Instr, args []value) value {
	return func(e *engine, s *state, in *Instr, args []value) value {
		o := e.fresh(s, "holds")
		for i, a := range args {
			if len(a.refs) > 0 {
				e.uses(s, a, e.x(i), kept)
				c := cell{o.id, ".%held"}
				s.cells[c] = union(s.cells[c], value{refs: a.refs})
			}
		}
		o.typ, o.code = "?", mark
		return to(ref{o.id, ""})
	}
}

// intoArena marks a call option that lets gRPC decode a response into an arena.
const intoArena = "into"

// responseArenas are the arenas into which a call with such options decodes, and where its text
// goes.
func (e *engine) responseArenas(s *state, args []value) (arenas value, text string) {
	for _, o := range e.reached(s, args...) {
		if e.objects[o].code != intoArena || e.objects[o].typ != "?" {
			continue
		}
		for _, r := range s.cells[cell{o, ".%held"}].refs {
			if e.objects[r.obj].kind == anArena {
				arenas, text = union(arenas, to(r)), s.cells[cell{o, ".Text"}].num
			}
		}
	}
	return arenas, text
}

// newHandler makes a handler that frees the arena of a request when the inner handler
// returns.
func newHandler(e *engine, s *state, in *Instr, args []value) value {
	for _, r := range args[0].refs {
		if e.objects[r.obj].code == timeoutHandler {
			e.fault(s, &candidate{kind: Use, at: e.where(), obj: r.obj,
				text: "http.TimeoutHandler returns while its handler still runs, and NewHandler then frees the arena of the request"})
		}
	}
	return holding("handler")(e, s, in, args)
}

const timeoutHandler = "net/http.TimeoutHandler"

func fromContext(e *engine, s *state, in *Instr, args []value) value {
	var refs []ref
	for _, o := range sortedKeys(e.reach(s, args[0])) {
		if e.objects[o].kind == anArena {
			refs = append(refs, ref{o, ""})
		}
	}
	if len(refs) == 1 {
		return to(refs...)
	}
	if len(args[0].refs) != 1 {
		return value{bits: other | lost}
	}
	r := args[0].refs[0]
	// A context made from another one has its arena.
	for depth := 0; depth < maxPath && e.objects[r.obj].typ == "?"; depth++ {
		from := s.cells[cell{r.obj, ".%held"}]
		if len(from.refs) != 1 || from.bits&lost != 0 {
			break
		}
		r = from.refs[0]
	}
	return e.content(s, ref{r.obj, r.path + ofContext}, Arena, "", 0)
}

// ofContext is the cell of a context's arena.
const ofContext = ".%arena"

// freesBorrowed reports a handler that frees the arena of its request, which the
// handlers of arenahttp and arenagrpc free again.
func (e *engine) freesBorrowed(s *state, a value) {
	if !e.program.survey.lends || e.thread != nil || len(a.refs) != 1 || a.bits&lost != 0 {
		return
	}
	o := e.objects[a.refs[0].obj]
	if o.of != nil && strings.HasSuffix(o.of.path, ofContext) && s.objs[o.id].dead == 0 {
		e.fault(s, &candidate{kind: Use, use: ended, at: e.where(), obj: o.id,
			text: "the arena of the request is freed here, and again by the handler that has put it into the context"})
	}
}

func mark(e *engine, s *state, in *Instr, args []value) value {
	v := e.memoryOf(s, args[0], e.x(0))
	for _, r := range v.refs {
		e.objects[r.obj].kind = checkpoint
	}
	return v
}

// end is the effect of the methods that end memory.
func end(how ending) effect {
	return simple(func(e *engine, s *state, in *Instr, args []value) value { return e.endBy(s, args, how) })
}

func (e *engine) endBy(s *state, args []value, how ending) value {
	if args[0].definitelyNil() {
		return value{}
	}
	if how == freed {
		e.freesBorrowed(s, args[0])
		e.ends(s, args[0], e.x(0), how, 0)
		return value{}
	}
	e.usesArena(s, args[0], e.x(0))
	if len(args[0].refs) == 1 && s.objs[args[0].refs[0].obj].dead != 0 {
		return value{}
	}
	at := 0
	if how == rewound {
		e.uses(s, args[1], e.x(1), passed)
		if len(args[1].refs) != 1 {
			return value{}
		}
		at = args[1].refs[0].obj
	}
	e.ends(s, args[0], e.x(0), how, at)
	return value{}
}

// decode puts the contents of its last argument into an arena.
func decode(e *engine, s *state, in *Instr, args []value) value {
	return decoded(e, s, in, args, "", false)
}

// textMarks are the ends of the types of decoded messages, by the option for their text.
var textMarks = map[string]string{textArena: " with text", textAlias: " with alias"}

// The values of arena.TextArena and arena.TextAlias.
const (
	textArena = "1"
	textAlias = "2"
)

func decodeWith(e *engine, s *state, in *Instr, args []value) value {
	text := e.load(s, args[0].at(".Text"), Scalar, "")
	merges := e.load(s, args[0].at(".Merge"), Scalar, "").bits == yes
	defer func(all []Operand) { e.operands = all }(e.operands)
	if len(e.operands) > 0 {
		e.operands = e.operands[1:]
	}
	return decoded(e, s, in, args[1:], text.num, merges)
}

func decoded(e *engine, s *state, in *Instr, args []value, text string, merges bool) value {
	e.uses(s, args[1], e.x(1), passed)
	if merges || strings.Contains(in.Name, "arenajson.") { // what the target has is used again
		e.uses(s, args[2], e.x(2), passed)
	}
	a := e.memoryOf(s, args[0], e.x(0))
	if len(a.refs) == 1 && (text == textArena || text == textAlias || !in.textOnly()) {
		o := e.objects[a.refs[0].obj]
		o.typ = decodedMark + textMarks[text]
		if text == textAlias {
			s.cells[cell{o.id, ".%text"}] = value{refs: args[1].refs, bits: args[1].bits & lost}
		}
		for _, r := range args[2].refs {
			c := cell{r.obj, r.path + content}
			before := s.cells[c]
			e.clear(s, r)
			s.cells[c] = to(ref{o.id, ""})
			if merges {
				s.cells[c] = union(before, s.cells[c])
			}
			s.origin[c] = e.where()
		}
	}
	return e.resultOf(s, in)
}

// content is the cell that holds what was decoded into an object.
const content = ".%decoded"

const decodedMark = "decoded"

func (in *Instr) textOnly() bool { return strings.HasSuffix(in.Type, textOnlyMark) }

const textOnlyMark = " of text"
