package profile

import "slices"

func (e *encoder) sample(row int) {
	e.sub, e.line = e.sub[:0], e.line[:0]
	for _, loc := range e.p.Dict.Stack(e.p.Stacks[row]) {
		e.line.varint(e.locations[loc])
	}
	if len(e.line) > 0 {
		e.sub.message(1, e.line)
	}
	e.line = e.line[:0]
	for _, column := range e.p.Values {
		e.line.varint(uint64(column[row]))
	}
	e.sub.message(2, e.line)
	for l := range slices.Chunk(e.p.Dict.labels.at(uint32(e.p.Labels[row])), labelWords) {
		e.line = e.line[:0]
		e.line.number(1, e.dictText(l[1]))
		if l[0] == 0 {
			e.line.number(2, e.dictText(l[2]))
		} else {
			e.line.number(3, join(l[2], l[3]))
			e.line.number(4, e.dictText(l[4]))
		}
		e.sub.message(3, e.line)
	}
	e.out.message(2, e.sub)
}

func (e *encoder) mapping(id uint64, mapping MappingID) {
	w := e.p.Dict.mappings.at(uint32(mapping))
	e.sub = e.sub[:0]
	e.sub.number(1, id)
	e.sub.number(2, join(w[0], w[1]))
	e.sub.number(3, join(w[2], w[3]))
	e.sub.number(4, join(w[4], w[5]))
	e.sub.number(5, e.dictText(w[6]))
	e.sub.number(6, e.dictText(w[7]))
	for bit := range 4 {
		e.sub.number(7+bit, uint64(w[8]>>bit&1))
	}
	e.out.message(3, e.sub)
}

func (e *encoder) location(id uint64, loc LocationID) {
	l := e.p.Dict.Location(loc)
	e.sub = e.sub[:0]
	e.sub.number(1, id)
	e.sub.number(2, e.mappings[l.Mapping])
	e.sub.number(3, l.Address)
	for i := range e.p.Dict.Lines(loc) {
		line := e.p.Dict.Line(loc, i)
		e.line = e.line[:0]
		e.line.number(1, e.functions[line.Function])
		e.line.number(2, uint64(line.Line))
		e.line.number(3, uint64(line.Column))
		e.sub.message(4, e.line)
	}
	if l.Folded {
		e.sub.number(5, 1)
	}
	e.out.message(4, e.sub)
}

func (e *encoder) function(id uint64, f FunctionID) {
	w := e.p.Dict.functions.at(uint32(f))
	e.sub = e.sub[:0]
	e.sub.number(1, id)
	e.sub.number(2, e.dictText(w[0]))
	e.sub.number(3, e.dictText(w[1]))
	e.sub.number(4, e.dictText(w[2]))
	e.sub.number(5, join(w[3], w[4]))
	e.out.message(5, e.sub)
}
