package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call adds the constraints of a call; v is its value, nil of a defer or go.
func (h *heap) call(at ssa.Instruction, v ssa.Value, c *ssa.CallCommon) {
	args := make([]node, 0, len(c.Args))
	for _, a := range c.Args {
		args = append(args, h.value(a))
		switch a.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			h.sites = append(h.sites, leak{value: h.value(a), pos: at.Pos()})
		}
	}
	s := &site{at, v, c, args}
	if c.IsInvoke() {
		h.sites = append(h.sites, leak{value: h.value(c.Value), pos: at.Pos()})
		h.invoke(s)
		return
	}
	switch f := c.Value.(type) {
	case *ssa.Builtin:
		h.builtin(s, f.Name())
		return
	case *ssa.Function:
		h.bind(s, f, args)
		return
	}
	h.each(h.value(c.Value), func(p place) {
		switch o := &h.objects[h.memory[p].object]; {
		case o.code != nil:
			h.bind(s, o.code, args)
		case o.what != "": // an iterator, say, which calls its argument with parts of the memory behind it
			for _, a := range args {
				h.each(a, func(q place) { h.calledBack(q, h.memory[p].content) })
			}
			h.everyResult(s, func(n node) { h.copy(h.memory[p].content, n) })
		default:
			h.unknown(s, "a function value")
		}
	})
}

// site is a place that calls.
type site struct {
	at   ssa.Instruction
	v    ssa.Value
	c    *ssa.CallCommon
	args []node
}

// give adds the places of n to a result of the call.
func (h *heap) give(s *site, i int, n node) {
	if s.v != nil {
		h.copy(n, h.of(s.v, i))
	}
}

// everyResult calls f with each result of the call.
func (h *heap) everyResult(s *site, f func(node)) {
	if s.v == nil {
		return
	}
	for i := range s.c.Signature().Results().Len() {
		f(h.of(s.v, i))
	}
}

// bind connects a call with the function that it calls.
func (h *heap) bind(s *site, fn *ssa.Function, args []node) {
	if !h.program.build(fn) {
		name, kind := symbol(fn), inResult
		if !getter(fn) {
			kind = known(name)
		}
		h.library(s, name, kind, args)
		return
	}
	h.noteCall(fn, s.at.Pos())
	if h.program.accessor(fn) && len(args) == len(fn.Params) {
		h.inline(s, fn, args)
		return
	}
	h.enter(fn)
	for i, p := range fn.Params {
		if i < len(args) {
			h.copy(args[i], h.value(p))
		}
	}
	for i := range fn.Signature.Results().Len() {
		h.give(s, i, h.result(fn, i))
	}
}

// invoke connects a call of an interface's method with the methods that it can
// call: the methods of the values that were put into the interface and, if it came
// from outside, of all types of the program that implement it.
func (h *heap) invoke(s *site) {
	method, receiver := s.c.Method, h.value(s.c.Value)
	bound := map[*ssa.Function]node{}
	bind := func(fn *ssa.Function) node {
		self, ok := bound[fn]
		if !ok {
			self = h.node()
			bound[fn] = self
			h.bind(s, fn, append([]node{self}, s.args...))
		}
		return self
	}
	foreign := false
	h.each(receiver, func(p place) {
		if t := h.objects[h.memory[p].object].boxed; t != nil {
			if fn := h.program.method(t, method); fn != nil {
				h.readAll(p, bind(fn))
			}
			return
		}
		if foreign {
			return
		}
		foreign = true
		if !h.direct {
			for _, fn := range h.program.implementing(s.c.Value.Type(), method) {
				h.copy(receiver, bind(fn))
			}
		}
		switch contract(method) {
		case keepsNothing:
			h.everyResult(s, func(n node) { h.copy(receiver, n) })
		default:
			h.unknown(s, "the method "+method.Name()+" of an interface")
		}
	})
}

// unknown is a call of code that cannot be read: it may keep its arguments, and
// return anything that it holds.
func (h *heap) unknown(s *site, name string) {
	for _, a := range s.args {
		h.giveAway(a, s.at.Pos(), name, "")
	}
	h.everyResult(s, func(n node) { h.add(n, outside) })
}

// callBack lets code outside call the functions that have reached it.
func (h *heap) callBack(p place) {
	code := h.objects[h.memory[p].object].code
	if code == nil || !h.program.build(code) {
		return
	}
	h.enter(code)
	for _, param := range code.Params {
		h.add(h.value(param), outside)
	}
	for i := range code.Signature.Results().Len() {
		h.leak(h.result(code, i), code.Pos(), "returned to a library by "+code.Name())
	}
}

func (h *heap) builtin(s *site, name string) {
	var to node
	if s.v != nil {
		to = h.value(s.v)
	}
	switch name {
	case "append":
		h.copy(s.args[0], to)
		if s.v != nil {
			h.makeAt(s.v, "append")
		}
		h.moveElements(s, to, s.args[0])
		if len(s.args) > 1 {
			h.moveElements(s, to, s.args[1])
		}
	case "copy":
		h.moveElements(s, s.args[0], s.args[1])
	case "recover":
		if s.v != nil {
			h.add(to, outside)
		}
	default: // min, max, ssa:wrapnilchk and the functions of unsafe return an argument or a part of it
		for _, a := range s.args {
			h.copy(a, to)
		}
	}
}

// moveElements copies the elements of one slice to another.
func (h *heap) moveElements(s *site, to, from node) {
	slice, ok := s.c.Args[0].Type().Underlying().(*types.Slice)
	if ok && !carries(slice.Elem(), 0) || to == 0 || from == 0 {
		return
	}
	moved := h.node()
	h.load(h.partOf(from, elements), moved)
	at := h.partOf(to, elements)
	h.store(at, moved)
	h.leaks = append(h.leaks, leak{value: moved, into: at, pos: s.at.Pos(), how: "stored in " + name(s.c.Args[0])})
}
