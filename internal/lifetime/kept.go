package lifetime

import (
	"slices"
	"strings"
)

// A keeping is memory of an arena that a function is given, which it leaves in a variable of the
// package or in another argument. Callers that cannot follow the function know it by that.
type keeping struct {
	arena int // the parameter
	// holder is the parameter in which the memory lies, none for a variable of the package.
	holder   int
	variable string
	path     string
	at       []point
}

// noHolder is the index of no parameter.
const noHolder = -1

// keepings notes the memory that the function which is followed keeps on its way to an exit.
func (e *engine) keepings(s *state) {
	for _, c := range s.sortedCells() {
		holder, v, at := e.objects[c.obj], s.cells[c], s.origin[c]
		if !holder.outside || len(v.refs) != 1 || v.bits&(lost|many) != 0 || len(at) == 0 ||
			!e.lexicalCode(at[0].code) {
			continue
		}
		k := keeping{arena: e.parameterOf(s.objs[v.refs[0].obj].arena), holder: e.parameterOf(c.obj), path: c.path}
		if k.holder == noHolder {
			k.variable = strings.TrimPrefix(holder.key, "global ")
		}
		if k.arena == noHolder ||
			k.holder == noHolder && (!strings.HasPrefix(holder.key, "global ") || holder.of != nil) {
			continue
		}
		for _, p := range at {
			p.args = nil // the caller has other objects
			k.at = append(k.at, p)
		}
		if !slices.ContainsFunc(e.root.keeps, func(o keeping) bool { return o.same(k) }) {
			e.root.keeps = append(e.root.keeps, k)
		}
	}
}

func (k keeping) same(o keeping) bool {
	return k.arena == o.arena && k.holder == o.holder && k.variable == o.variable && k.path == o.path
}

// parameterOf is the index of the parameter that is an object, noHolder if none is.
func (e *engine) parameterOf(obj int) int {
	if obj == 0 {
		return noHolder
	}
	for i, p := range e.root.Params {
		if e.objects[obj].key == parameterKey(i, p) {
			return i
		}
	}
	return noHolder
}

// keptBy lets the arguments of a call that was not followed hold the memory that the function keeps.
func (e *engine) keptBy(s *state, code *Code, args []value) {
	for i, k := range code.keeps {
		if k.arena >= len(args) || k.holder >= len(args) ||
			len(args[k.arena].refs) != 1 || args[k.arena].bits&(lost|many) != 0 ||
			e.objects[args[k.arena].refs[0].obj].kind != anArena {
			continue
		}
		holder := to(ref{e.object("global " + k.variable).id, ""})
		if k.holder != noHolder {
			holder = args[k.holder]
		} else {
			o := e.objects[holder.refs[0].obj]
			o.outside, o.name = true, k.variable[strings.LastIndexByte(k.variable, '.')+1:]
		}
		if len(holder.refs) != 1 {
			continue
		}
		o := e.inArena(s, args[k.arena].refs[0].obj, "kept"+string(rune('a'+i)))
		at := holder.at(k.path)
		e.store(s, at, to(ref{o.id, ""}), Reference)
		if len(at.refs) == 1 {
			s.origin[cell(at.refs[0])] = append(e.where(), k.at...)
		}
	}
}
