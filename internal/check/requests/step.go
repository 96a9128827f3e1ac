package requests

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// step follows one instruction.
func (f *flow) step(fr *frame, instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.Alloc:
		f.set(fr, v, set{f.fresh(fr, v): true})
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		f.set(fr, v.(ssa.Value), set{f.fresh(fr, v.(ssa.Value)): true})
	case *ssa.FieldAddr:
		f.set(fr, v, parts(f.value(fr, v.X), "."+fieldName(fieldOf(v.X, v.Field))))
	case *ssa.IndexAddr:
		f.set(fr, v, parts(f.value(fr, v.X), elements))
	case *ssa.Field:
		f.set(fr, v, f.load(parts(f.value(fr, v.X), "."+fieldName(fieldOf(v.X, v.Field))), v.Type()))
	case *ssa.Index:
		f.set(fr, v, f.load(parts(f.value(fr, v.X), elements), v.Type()))
	case *ssa.Lookup:
		f.reads(fr, f.value(fr, v.X))
		f.result(fr, v, 0, f.load(parts(f.value(fr, v.X), elements), element(v.X)))
	case *ssa.Next:
		if of := v.Iter.(*ssa.Range).X; !v.IsString {
			f.result(fr, v, 1, f.load(parts(f.value(fr, of), keys), nil))
			f.result(fr, v, 2, f.load(parts(f.value(fr, of), elements), element(of)))
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			s := f.value(fr, v.X)
			f.reads(fr, s)
			f.set(fr, v, f.load(s, v.Type()))
			if at, ok := v.X.(*ssa.FieldAddr); ok && f.given(s) {
				f.set(fr, v, f.overwritten[fieldName(fieldOf(at.X, at.Field))])
			}
		case token.ARROW:
			f.result(fr, v, 0, f.load(parts(f.value(fr, v.X), elements), element(v.X)))
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			f.set(fr, v, f.value(fr, e))
		}
	case *ssa.Extract:
		f.set(fr, v, fr.tuples[component{v.Tuple, v.Index}])
	case *ssa.TypeAssert:
		f.result(fr, v, 0, f.value(fr, v.X))
	case *ssa.ChangeType:
		f.set(fr, v, f.value(fr, v.X))
	case *ssa.ChangeInterface:
		f.set(fr, v, f.value(fr, v.X))
	case *ssa.MakeInterface:
		f.set(fr, v, f.value(fr, v.X))
	case *ssa.Slice:
		f.set(fr, v, f.value(fr, v.X))
	case *ssa.MakeClosure:
		at := f.fresh(fr, v)
		for _, b := range v.Bindings {
			f.changed = at.put(elements, f.value(fr, b)) || f.changed
		}
		f.set(fr, v, set{at: true})
		if fn := v.Fn.(*ssa.Function); fn.Blocks != nil {
			f.enter(fr, v, fn)
		}
	case *ssa.Store:
		f.store(fr, v, v.Addr, f.value(fr, v.Addr), v.Val)
	case *ssa.MapUpdate:
		m := f.value(fr, v.Map)
		f.put(fr, v, v.Map, parts(m, keys), f.value(fr, v.Key), v.Key.Type())
		f.put(fr, v, v.Map, parts(m, elements), f.value(fr, v.Value), v.Value.Type())
	case *ssa.Send:
		f.send(fr, v, v.Chan, v.X)
	case *ssa.Select:
		n := 2
		for _, s := range v.States {
			if s.Dir == types.SendOnly {
				f.send(fr, v, s.Chan, s.Send)
				continue
			}
			f.result(fr, v, n, f.load(parts(f.value(fr, s.Chan), elements), element(s.Chan)))
			n++
		}
	case *ssa.Return:
		for i, r := range v.Results {
			if fr.results[i] == nil {
				fr.results[i] = set{}
			}
			f.changed = fr.results[i].add(f.value(fr, r)) || f.changed
		}
	case ssa.CallInstruction:
		f.call(fr, v)
	}
}

const (
	elements = "[]"
	keys     = "[key]"
)

// parts returns the places of a field, or of the elements, of places.
func parts(s set, path string) set {
	all := set{}
	for at := range s {
		if at.kind == fresh {
			at.path += path
		}
		all[at] = true
	}
	return all
}

// fieldOf returns a field of the struct that a value is or points to.
func fieldOf(v ssa.Value, i int) *types.Var {
	t := under(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = under(p.Elem())
	}
	return t.(*types.Struct).Field(i).Origin()
}

// element returns the type of the elements of a map, a slice or a channel, nil if it
// is not known.
func element(v ssa.Value) types.Type {
	if c, ok := under(v.Type()).(interface{ Elem() types.Type }); ok {
		return c.Elem()
	}
	return nil
}

// load returns the values of a type at places.
func (f *flow) load(s set, t types.Type) set {
	all := set{}
	for at := range s {
		if at.kind != fresh || t != nil && aggregate(t) {
			all[at] = true
			continue
		}
		all.add(at.fields[at.path])
		all.add(at.fields[anywhere])
	}
	return all
}

// store assigns a value to a place.
func (f *flow) store(fr *frame, at ssa.Instruction, addr ssa.Value, to set, val ssa.Value) {
	s := f.filter(val.Type(), f.value(fr, val))
	if field, ok := addr.(*ssa.FieldAddr); ok && f.given(to) {
		f.overwrite(fieldName(fieldOf(field.X, field.Field)), s)
	}
	if _, constant := val.(*ssa.Const); f.clears && len(s) == 0 && !constant && carries(val.Type()) != carriesNothing {
		for p := range to {
			if p.kind == fresh && !strings.HasSuffix(p.path, "]") {
				f.changed = p.put(p.path, aCopy) || f.changed
			}
		}
	}
	f.put(fr, at, addr, to, s, val.Type())
}

// given reports whether places include memory of parameters other than the receiver.
func (f *flow) given(s set) bool {
	for p := range s {
		if p.kind == memory && (p.param > 0 || f.root.fn.Signature.Recv() == nil) {
			return true
		}
	}
	return false
}

// overwrite gives a field of parameters' memory another value. One that is not known
// is not theirs.
func (f *flow) overwrite(field string, s set) {
	if len(s) == 0 && f.clears {
		s = aCopy
	}
	if f.overwritten[field] == nil {
		f.overwritten[field] = set{}
	}
	f.changed = f.overwritten[field].add(s) || f.changed
}

// put puts a value into places, which addr denotes. Its type is nil if it is not
// known.
func (f *flow) put(fr *frame, at ssa.Instruction, addr ssa.Value, to, s set, t types.Type) {
	if t != nil {
		s = f.filter(t, s)
	}
	if len(s) == 0 {
		return
	}
	for p := range to {
		switch p.kind {
		case memory, global:
			for v := range s {
				f.published[v.region] = true
			}
			if f.mixed(to) {
				continue
			}
			in := elsewhere
			if p.kind == memory {
				in = p.param
			}
			f.keep(fr, at, addr, in, s)
		case fresh:
			if t != nil && aggregate(t) {
				f.copyInto(p, s)
			} else {
				f.changed = p.put(p.path, s) || f.changed
			}
		}
	}
}

// mixed reports whether places include new memory that nothing else refers to. The
// others may then be defaults, which have no such part.
func (f *flow) mixed(to set) bool {
	for p := range to {
		if p.kind == fresh && !f.published[p.region] {
			return true
		}
	}
	return false
}

// copyInto copies the parts of aggregates.
func (f *flow) copyInto(to place, s set) {
	for from := range s {
		if from.kind != fresh {
			f.changed = to.put(anywhere, set{from: true}) || f.changed
			continue
		}
		for path, values := range from.fields {
			if path == anywhere {
				f.changed = to.put(anywhere, values) || f.changed
			} else if within(path, from.path) {
				f.changed = to.put(to.path+path[len(from.path):], values) || f.changed
			}
		}
	}
}
