package lifetime

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// deletedKeys reports uses of the pointer that Map.At returned after its key was deleted or
// the map cleared.
func (p *program) deletedKeys(codes []*Code) {
	for _, c := range codes {
		var found, deleted []*ssa.Call
		for _, in := range c.instrs() {
			call, ok := in.src.(*ssa.Call)
			if !ok {
				continue
			}
			switch short, _ := arenaName(in.Name); short {
			case "(*Map).At":
				found = append(found, call)
			case "(*Map).Delete", "(*Map).Clear":
				deleted = append(deleted, call)
			}
		}
		for _, at := range found {
			for _, del := range deleted {
				if use, ok := c.useAfterDelete(at, del); ok {
					p.faults = append(p.faults, Fault{Kind: Use, Pos: use.Pos(), Message: fmt.Sprintf(
						"%s is used after its key was deleted in line %d, and may be the value of another key",
						sourceName(at), p.pass.Fset.Position(del.Pos()).Line)})
					break
				}
			}
		}
	}
}

// useAfterDelete returns the first use of a pointer that surely follows the end of its key,
// if there is one.
func (c *Code) useAfterDelete(at, del *ssa.Call) (first ssa.Instruction, ok bool) {
	a, d := at.Call.Args, del.Call.Args
	if !sameValue(a[0], d[0]) || len(d) > 1 && !sameValue(a[1], d[1]) {
		return nil, false
	}
	from, made := del.Block().Index, at.Block().Index
	for _, use := range dereferences(at) {
		to := use.Block().Index
		inBlock := to == from && use.Pos() > del.Pos()
		if !inBlock && (made == to && use.Pos() > at.Pos() || !c.reaches(from, to, made)) {
			continue // At runs again between the two
		}
		if !inBlock && !c.dominates(from, to) && !c.always(from, to) && !c.inNextRound(from, to) {
			continue
		}
		if !ok || use.Pos() < first.Pos() {
			first, ok = use, true
		}
	}
	return first, ok
}

// inNextRound reports whether a block follows another one only in a later round of a loop.
func (c *Code) inNextRound(from, to int) bool {
	for h := range c.Blocks {
		if c.dominates(h, from) && c.dominates(h, to) && c.reaches(from, h, -1) && h != from &&
			(h == to || !c.reaches(from, to, h)) {
			return true
		}
	}
	return false
}

// dereferences are the instructions that read or write the memory behind a pointer.
func dereferences(v ssa.Value) (all []ssa.Instruction) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.Call:
			all = append(all, r)
		case *ssa.Store:
			if r.Addr == v {
				all = append(all, r)
			}
		case *ssa.FieldAddr:
			all = append(all, dereferences(r)...)
		}
	}
	return all
}

// sameValue reports whether two values of a function are surely the same: constants, or reads
// of a field or variable that the function never sets.
func sameValue(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && a.Value != nil && b.Value != nil && a.Value.ExactString() == b.Value.ExactString()
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == token.MUL && b.Op == token.MUL && sameValue(a.X, b.X) && !isSet(a.X)
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && sameValue(a.X, b.X)
	}
	return false
}

// isSet reports whether a function stores into a field or variable.
func isSet(addr ssa.Value) bool {
	fn := addr.Parent()
	if fn == nil {
		return true
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if store, ok := in.(*ssa.Store); ok && (store.Addr == addr || sameValue(store.Addr, addr)) {
				return true
			}
		}
	}
	return false
}
