package requests

import (
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// after are the instructions that may run after an instruction of a function, and
// those that are deferred. Again includes those that run only in a later turn of a loop.
func after(at ssa.Instruction, again bool) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		reached := reach(at.Block(), func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
		if !again {
			leads := reach(at.Block(), func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
			turn := reach(at.Block(), withoutTurning)
			maps.DeleteFunc(reached, func(b *ssa.BasicBlock, _ bool) bool { return leads[b] && !turn[b] })
		}
		for _, b := range at.Parent().Blocks {
			later := reached[b]
			for _, instr := range b.Instrs {
				_, deferred := instr.(*ssa.Defer)
				if (later || deferred) && instr != at && !yield(instr) {
					return
				}
				later = later || instr == at
			}
		}
	}
}

// reach are the blocks that are reached from a block by steps of next.
func reach(b *ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	reached := map[*ssa.BasicBlock]bool{}
	for queue := []*ssa.BasicBlock{b}; len(queue) > 0; queue = queue[1:] {
		for _, n := range next(queue[0]) {
			if !reached[n] {
				reached[n] = true
				queue = append(queue, n)
			}
		}
	}
	return reached
}

// withoutTurning are the blocks after a block, without those that begin another turn of
// a loop.
func withoutTurning(b *ssa.BasicBlock) []*ssa.BasicBlock {
	return slices.DeleteFunc(slices.Clone(b.Succs), func(next *ssa.BasicBlock) bool { return next.Dominates(b) })
}

// afterwards are the same of a frame's instruction and, above it, of those that lead
// there.
func afterwards(fr *frame, at ssa.Instruction, again bool) iter.Seq2[*frame, ssa.Instruction] {
	return func(yield func(*frame, ssa.Instruction) bool) {
		for ; fr != nil; at, fr = fr.at, fr.up {
			for instr := range after(at, again) {
				if !yield(fr, instr) {
					return
				}
			}
		}
	}
}

// waits reports whether the function may wait for another goroutine after an
// instruction.
func (f *flow) waits(fr *frame, at ssa.Instruction) bool {
	for _, instr := range afterwards(fr, at, true) {
		if f.waitsAt(instr) {
			return true
		}
	}
	return false
}

func (p *program) waitsAt(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly {
				return true
			}
		}
	case *ssa.Go:
		return false
	case ssa.CallInstruction:
		common := instr.Common()
		if common.IsInvoke() {
			return common.Method.Name() == "Wait"
		}
		fn := common.StaticCallee()
		return fn != nil && (fn.Name() == "Wait" || p.mayWait(fn))
	}
	return false
}

// mayWait reports whether a function of the package waits for another goroutine.
func (p *program) mayWait(fn *ssa.Function) bool {
	known, ok := p.waiting[fn]
	if ok {
		return known
	}
	p.waiting[fn] = false // for functions that call themselves
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if p.waitsAt(instr) {
				p.waiting[fn] = true
				return true
			}
		}
	}
	return false
}

// erased reports whether the function may take values out of a field or a
// package-level variable after an instruction.
func (f *flow) erased(fr *frame, at ssa.Instruction, name any) bool {
	for in, instr := range afterwards(fr, at, false) {
		if store, ok := instr.(*ssa.Store); ok {
			if (nameOf(store.Addr) == name && !initializes(store) || resets(store, name)) && len(labels(f.value(in, store.Val))) == 0 {
				return true
			}
		} else if erases(instr, name, 0) {
			return true
		}
	}
	return false
}

// erases reports whether an instruction, or a function of the package that it calls,
// takes values out of a field or a package-level variable.
func erases(instr ssa.Instruction, name any, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		return nameOf(instr.Addr) == name && !grows(instr, name) && !initializes(instr) || resets(instr, name)
	case *ssa.MapUpdate:
		c, ok := instr.Value.(*ssa.Const)
		return ok && c.IsNil() && nameOf(instr.Map) == name
	case ssa.CallInstruction:
		common := instr.Common()
		if b, ok := common.Value.(*ssa.Builtin); ok {
			return (b.Name() == "delete" || b.Name() == "clear") && nameOf(common.Args[0]) == name
		}
		fn := common.StaticCallee()
		if fn == nil {
			return false
		}
		_, deferred := instr.(*ssa.Defer)
		if len(common.Args) > 0 && nameOf(common.Args[0]) == name && (takesOut(fn.Name()) || deferred && fn.Blocks == nil) {
			return true
		}
		if depth == maxDepth/2 {
			return false
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if erases(instr, name, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

func takesOut(method string) bool {
	for _, prefix := range []string{"Delete", "Remove", "Clear", "Reset", "Pop", "LoadAndDelete", "CompareAndDelete", "Init", "Release", "Done", "Un"} {
		if strings.HasPrefix(method, prefix) {
			return true
		}
	}
	return false
}

// grows reports whether a store only appends to the place.
func grows(store *ssa.Store, name any) bool {
	call, ok := store.Val.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append" && nameOf(call.Call.Args[0]) == name
}

// resets reports whether a store sets a struct with the field, as a whole.
func resets(store *ssa.Store, name any) bool {
	s, ok := store.Val.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	if _, local := store.Addr.(*ssa.Alloc); local {
		return false
	}
	for f := range s.Fields() {
		if name == any(f.Origin()) {
			return true
		}
	}
	return false
}

// initializes reports whether a store sets a place that was nil.
func initializes(store *ssa.Store) bool {
	preds := store.Block().Preds
	if len(preds) != 1 {
		return false
	}
	branch, ok := preds[0].Instrs[len(preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL || preds[0].Succs[0] != store.Block() {
		return false
	}
	c, ok := cond.Y.(*ssa.Const)
	return ok && c.IsNil() && nameOf(cond.X) == nameOf(store.Addr)
}
