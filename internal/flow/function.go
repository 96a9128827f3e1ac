package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// value returns the node of a variable, 0 of one that holds no pointers.
func (h *heap) value(v ssa.Value) node {
	if n, ok := h.values[v]; ok {
		return n
	}
	if _, constant := v.(*ssa.Const); constant || !carries(v.Type(), 0) || h.textApart && isText(v.Type()) {
		return 0
	}
	n := h.node()
	h.values[v] = n
	switch v := v.(type) {
	case *ssa.Global:
		h.add(n, outside)
	case *ssa.Function:
		h.add(n, h.make(v, object{what: v.Name(), code: v}))
	}
	return n
}

// carries reports whether a value of the type can refer to memory.
func carries(t types.Type, depth int) bool {
	if depth > maxFields {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Struct:
		for f := range u.Fields() {
			if carries(f.Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Array:
		return carries(u.Elem(), depth+1)
	case *types.Tuple:
		for v := range u.Variables() {
			if carries(v.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// make returns the object that an instruction makes.
func (h *heap) make(v ssa.Value, o object) place {
	if p, ok := h.made[v]; ok {
		return p
	}
	o.value, o.pos, o.fn = v, v.Pos(), v.Parent()
	p := h.object(o)
	h.made[v] = p
	return p
}

func (h *heap) makeAt(v ssa.Value, what string) {
	h.add(h.value(v), h.make(v, object{what: what}))
}

// enter adds the constraints of a function's body, once.
func (h *heap) enter(fn *ssa.Function) {
	if h.entered[fn] {
		return
	}
	h.entered[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			h.instruction(in)
		}
	}
}

func (h *heap) result(fn *ssa.Function, i int) node {
	if h.results[fn] == nil {
		for range fn.Signature.Results().Len() {
			h.results[fn] = append(h.results[fn], h.node())
		}
	}
	return h.results[fn][i]
}

// of returns the node of one result of a call.
func (h *heap) of(call ssa.Value, i int) node {
	if tuple, ok := call.Type().(*types.Tuple); !ok || tuple.Len() == 1 {
		return h.value(call)
	}
	r := callResult{call, i}
	if _, ok := h.gives[r]; !ok {
		h.gives[r] = h.node()
	}
	return h.gives[r]
}

func (h *heap) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	// These make objects.
	case *ssa.Alloc:
		h.makeAt(in, in.Comment)
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		h.makeAt(in.(ssa.Value), "make")
	case *ssa.MakeInterface:
		p := h.make(in, object{what: "interface", boxed: in.X.Type()})
		h.add(h.value(in), p)
		h.copy(h.value(in.X), h.memory[p].content)
	case *ssa.MakeClosure:
		fn := in.Fn.(*ssa.Function)
		p := h.make(in, object{what: "func literal", code: fn})
		h.add(h.value(in), p)
		for i, b := range in.Bindings {
			h.copy(h.value(b), h.memory[p].content)
			h.copy(h.value(b), h.value(fn.FreeVars[i]))
		}

	// The results of these point into the objects of their operands, or to the same ones.
	case *ssa.FieldAddr:
		h.part(h.value(in.X), in.Field, h.value(in))
	case *ssa.IndexAddr:
		h.part(h.value(in.X), elements, h.value(in))
	case *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.SliceToArrayPointer, *ssa.Range:
		x := *in.Operands(nil)[0] // the field X of each
		h.copy(h.value(x), h.value(in.(ssa.Value)))
	case *ssa.Phi:
		for _, e := range in.Edges {
			h.copy(h.value(e), h.value(in))
		}
	case *ssa.Convert:
		h.convert(in, in.X)
	case *ssa.MultiConvert:
		h.copy(h.value(in.X), h.value(in))
		h.makeAt(in, "conversion")
	case *ssa.TypeAssert:
		if types.IsInterface(in.AssertedType) {
			h.copy(h.value(in.X), h.value(in))
		} else {
			h.unbox(h.value(in.X), in.AssertedType, h.value(in))
		}

	// These read memory, or receive from a channel.
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			h.load(h.value(in.X), h.value(in))
		case token.ARROW:
			h.load(h.partOf(h.value(in.X), elements), h.value(in))
		}
	case *ssa.BinOp:
		if in.Op == token.ADD && carries(in.Type(), 0) {
			h.makeAt(in, "string concatenation")
		}
	case *ssa.Lookup:
		h.load(h.partOf(h.value(in.X), elements), h.value(in))
	case *ssa.Next:
		if !in.IsString {
			h.load(h.partOf(h.value(in.Iter), elements), h.value(in))
			h.load(h.partOf(h.value(in.Iter), keys), h.value(in))
		}

	// A call has a node for each of its results.
	case *ssa.Extract:
		if call, ok := in.Tuple.(*ssa.Call); ok {
			h.copy(h.of(call, in.Index), h.value(in))
		} else {
			h.copy(h.value(in.Tuple), h.value(in))
		}
	default:
		h.effect(in)
	}
}

// effect adds the constraints of instructions that have no value, and of calls.
func (h *heap) effect(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		h.keep(in.Addr, h.value(in.Addr), in.Val, in.Pos(), "stored in ")
	case *ssa.MapUpdate:
		h.keep(in.Map, h.partOf(h.value(in.Map), elements), in.Value, in.Pos(), "stored in ")
		h.keep(in.Map, h.partOf(h.value(in.Map), keys), in.Key, in.Pos(), aKey)
	case *ssa.Send:
		h.keep(in.Chan, h.partOf(h.value(in.Chan), elements), in.X, in.Pos(), "sent on ")
	case *ssa.Select:
		for _, s := range in.States {
			at := h.partOf(h.value(s.Chan), elements)
			if s.Dir == types.SendOnly {
				h.keep(s.Chan, at, s.Send, s.Pos, "sent on ")
			} else {
				h.load(at, h.value(in))
			}
		}
	case *ssa.Return:
		for i, v := range in.Results {
			h.copy(h.value(v), h.result(in.Parent(), i))
		}
	case *ssa.Panic:
		h.escape(leak{value: h.value(in.X), pos: in.Pos(), how: "passed to a panic, which a caller may recover,", rare: true})
	case *ssa.Call:
		h.call(in, in, in.Common())
	case *ssa.Defer:
		h.call(in, nil, in.Common())
	case *ssa.Go:
		c := in.Common()
		for _, a := range c.Args {
			h.leak(h.value(a), in.Pos(), "handed to a goroutine")
		}
		h.leak(h.value(c.Value), in.Pos(), "captured by a goroutine")
		h.call(in, nil, c)
	}
}

// convert adds the constraints of a conversion: between strings and slices it
// copies; a pointer that becomes a number is lost.
func (h *heap) convert(v ssa.Value, x ssa.Value) {
	_, from := x.Type().Underlying().(*types.Slice)
	_, to := v.Type().Underlying().(*types.Slice)
	switch {
	case !carries(x.Type(), 0) || from != to:
		if carries(v.Type(), 0) && (to || isString(v.Type())) {
			h.makeAt(v, "conversion")
		} else if carries(v.Type(), 0) {
			h.add(h.value(v), outside) // a number becomes a pointer
		}
	case !carries(v.Type(), 0):
		h.leak(h.value(x), v.Pos(), "converted to a number")
	default:
		h.copy(h.value(x), h.value(v))
	}
}

// isText reports whether a value is a string or bytes.
func isText(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return isString(t) || ok && types.Identical(s.Elem().Underlying(), types.Typ[types.Byte])
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// unbox adds to to the values in interfaces that can be of the type.
func (h *heap) unbox(from node, t types.Type, to node) {
	h.each(from, func(p place) {
		if o := &h.objects[h.memory[p].object]; o.boxed == nil || types.Identical(o.boxed, t) {
			h.readAll(p, to)
			if o.boxed == nil {
				h.add(to, p)
			}
		}
	})
}
