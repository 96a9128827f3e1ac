package lifetime

import "strings"

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
		"Clone":            simple(copyOut),
		"Promote":          simple(copyOut),
		"NewContext":       simple(holdsArguments),
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
			e.usesOwner(s, args[0], e.x(0))
			return args[0].at(elements)
		}),
		"(*Map).All": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			return args[0].at(".all")
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
			e.uses(s, args[0], e.x(0), passed)
			return args[0].at(".text")
		}),
		"(*Buffer).String": simple(func(e *engine, s *state, in *Instr, args []value) value {
			e.uses(s, args[0], e.x(0), passed)
			return args[0].at(".text")
		}),

		"Unmarshal":                          simple(decode),
		"UnmarshalJSON":                      simple(decode),
		"(UnmarshalOptions).Unmarshal":       simple(decodeWith),
		"(UnmarshalOptions).UnmarshalPieces": simple(decodeWith),
		"(UnmarshalJSONOptions).Unmarshal":   simple(decodeWith),
		"Into":                               simple(holdsArguments),
		"(ClientOptions).Into":               simple(holdsArguments),
	}
}

// begin begins an arena.
func begin(e *engine, s *state, in *Instr, args []value) value {
	o := e.fresh(s, "arena")
	o.kind = anArena
	s.objs[o.id] = status{own: true}
	return to(ref{o.id, ""})
}

// memoryOf returns new memory of the arenas in a value.
func (e *engine) memoryOf(s *state, a value, x Operand) value {
	e.usesArena(s, a, x)
	if len(a.refs) != 1 {
		return value{bits: other | lost*bits(min(len(a.refs), 1))}
	}
	return to(ref{e.inArena(s, a.refs[0].obj, "").id, ""})
}

func (e *engine) inArena(s *state, arena int, suffix string) *object {
	o := e.fresh(s, "memory"+suffix)
	st := status{arena: arena}
	for id, c := range s.objs {
		if e.objects[id].kind == checkpoint && c.arena == arena && c.dead == 0 {
			st.marks = append(st.marks, id)
		}
	}
	s.objs[o.id] = st
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
		old, added := e.load(s, args[1].at(elements), Reference, ""), e.load(s, args[2].at(elements), Reference, "")
		e.store(s, v.at(elements), union(old, added), Reference)
		e.store(s, args[1].at(elements), added, Reference)
	}
	return value{refs: union(v, args[1]).refs}
}

// copyOut makes a copy on the heap.
func copyOut(e *engine, s *state, in *Instr, args []value) value {
	for i, a := range args {
		e.uses(s, a, e.x(i), passed)
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
	e.uses(s, args[0], e.x(0), passed)
	v := e.load(s, args[0].at(elements), Reference, "")
	v.bits |= null
	return value{parts: []value{v, e.opaque(s)}}
}

// grow uses a Map or a Buffer, which may grow.
func grow(e *engine, s *state, in *Instr, args []value) value {
	e.usesOwner(s, args[0], e.x(0))
	for i, a := range args[1:] {
		e.uses(s, a, e.x(i+1), passed)
	}
	return e.resultOf(s, in)
}

func holdsArguments(e *engine, s *state, in *Instr, args []value) value {
	o := e.fresh(s, "holds")
	for i, a := range args {
		if len(a.refs) > 0 {
			e.uses(s, a, e.x(i), kept)
			c := cell{o.id, ".held"}
			s.cells[c] = union(s.cells[c], value{refs: a.refs})
		}
	}
	o.typ = "?"
	if in.Number < 2 {
		return to(ref{o.id, ""})
	}
	v := e.resultOf(s, in)
	v.parts[0] = to(ref{o.id, ""})
	return v
}

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
	return e.content(s, ref{r.obj, r.path + ".arena"}, Arena, "", 0)
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
	return decoded(e, s, in, args, false)
}

// textArena is the value of arena.TextArena.
const textArena = "1"

func decodeWith(e *engine, s *state, in *Instr, args []value) value {
	text := e.load(s, args[0].at(".Text"), Scalar, "")
	defer func(all []Operand) { e.operands = all }(e.operands)
	if len(e.operands) > 0 {
		e.operands = e.operands[1:]
	}
	return decoded(e, s, in, args[1:], text.num == textArena)
}

func decoded(e *engine, s *state, in *Instr, args []value, text bool) value {
	e.uses(s, args[1], e.x(1), passed)
	e.uses(s, args[2], e.x(2), passed)
	a := e.memoryOf(s, args[0], e.x(0))
	if len(a.refs) == 1 && (text || !in.textOnly()) {
		o := e.objects[a.refs[0].obj]
		o.typ = decodedMark
		if text {
			o.typ = decodedMark + " with text"
		}
		for _, r := range args[2].refs {
			e.clear(s, r)
			c := cell{r.obj, r.path + content}
			s.cells[c] = to(ref{o.id, ""})
			s.origin[c] = e.where()
		}
	}
	return e.resultOf(s, in)
}

// content is the cell that holds what was decoded into an object.
const content = ".decoded"

const decodedMark = "decoded"

func (in *Instr) textOnly() bool { return strings.HasSuffix(in.Type, textOnlyMark) }

const textOnlyMark = " of text"
