package lifetime

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An arenaList is a list of arenas, or of structs with an arena: a variable of a function, or
// all values of a named type.
type arenaList struct {
	// values are the values of the variable, and named is the type.
	values map[ssa.Value]bool
	named  *types.Named
	// made is where the list gets a new arena, and frees is the number of calls of Free for
	// an element.
	made  token.Pos
	frees int
	// mixed is set if the list has other arenas, too, or arenas in some of its places.
	mixed bool
}

// leftOut reports lists of arenas whose only loop that frees them leaves out the first or the
// last one.
func (p *program) leftOut(codes []*Code) {
	for _, c := range codes {
		for _, in := range c.instrs() {
			if isFree(in.Name) {
				p.leftOutBy(codes, c, in)
			}
		}
	}
}

// leftOutBy reports the arena that a call of Free leaves out, if it is in such a loop.
func (p *program) leftOutBy(codes []*Code, c *Code, free *Instr) {
	call, ok := free.src.(*ssa.Call)
	if !ok {
		return
	}
	at := elementOf(call.Call.Args[0])
	if at == nil {
		return
	}
	which := leavesOut(at)
	if which == "" {
		return
	}
	list, whose := newArenaList(at.X), []*Code{c}
	if list.named != nil {
		if list.named.Obj().Exported() {
			return
		}
		whose = codes
	}
	for _, c := range whose {
		if !list.look(p, c) {
			return
		}
	}
	if list.frees == 1 && list.made.IsValid() && !list.mixed {
		p.faults = append(p.faults, Fault{Kind: Leak, Pos: list.made, Message: fmt.Sprintf(
			"the %s of these arenas is never freed: the loop in line %d leaves it out", which,
			p.pass.Fset.Position(call.Pos()).Line)})
	}
}

// elementOf returns the element of a list that a value was read from, or from whose field.
func elementOf(v ssa.Value) *ssa.IndexAddr {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	at := load.X
	if f, ok := at.(*ssa.FieldAddr); ok {
		at = f.X
	}
	index, ok := at.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	return index
}

// leavesOut names the element that a loop over a list leaves out, "" if there is none.
func leavesOut(at *ssa.IndexAddr) string {
	if cut, ok := at.X.(*ssa.Slice); ok {
		switch {
		case !isRangeIndex(at.Index):
			return ""
		case isOne(cut.Low) && cut.High == nil:
			return "first"
		case cut.Low == nil && isLessOne(cut.High):
			return "last"
		}
		return ""
	}
	index, ok := at.Index.(*ssa.Phi)
	if !ok || len(index.Edges) != 2 {
		return ""
	}
	for i, edge := range index.Edges {
		next, ok := index.Edges[1-i].(*ssa.BinOp)
		if !ok || next.Op != token.ADD || next.X != index || !isOne(next.Y) {
			continue
		}
		for _, r := range *index.Referrers() {
			test, ok := r.(*ssa.BinOp)
			if !ok || test.Op != token.LSS || test.X != index {
				continue
			}
			if isOne(edge) && !isLessOne(test.Y) {
				return "first"
			}
			if start, ok := edge.(*ssa.Const); ok && start.Int64() == 0 && isLessOne(test.Y) {
				return "last"
			}
		}
	}
	return ""
}

// isRangeIndex reports whether a value is the index of a range statement.
func isRangeIndex(v ssa.Value) bool {
	next, ok := v.(*ssa.BinOp)
	if !ok {
		return false
	}
	index, ok := next.X.(*ssa.Phi)
	return ok && index.Comment == "rangeindex"
}

func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == 1
}

// isLessOne reports whether a value is another one minus 1.
func isLessOne(v ssa.Value) bool {
	sub, ok := v.(*ssa.BinOp)
	return ok && sub.Op == token.SUB && isOne(sub.Y)
}

// newArenaList is the list that a value belongs to.
func newArenaList(v ssa.Value) *arenaList {
	if cut, ok := v.(*ssa.Slice); ok {
		v = cut.X
	}
	list := &arenaList{values: map[ssa.Value]bool{}}
	if param, ok := v.(*ssa.Parameter); ok {
		list.named, _ = types.Unalias(param.Type()).(*types.Named)
		return list
	}
	list.add(v)
	return list
}

// add adds a value, and those that it was made of and is made to.
func (l *arenaList) add(v ssa.Value) {
	if l.values[v] {
		return
	}
	l.values[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, edge := range v.Edges {
			l.add(edge)
		}
	case *ssa.Call:
		if isAppend(v) {
			l.add(v.Call.Args[0])
		} else {
			l.mixed = true
		}
	case *ssa.MakeSlice, *ssa.Const:
	default: // somebody else has filled it
		l.mixed = true
	}
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Phi:
			l.add(r)
		case *ssa.Call:
			if isAppend(r) && r.Call.Args[0] == v {
				l.add(r)
			}
		}
	}
}

func isAppend(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}

func (l *arenaList) has(v ssa.Value) bool {
	return l.values[v] || l.named != nil && types.Identical(types.Unalias(v.Type()), l.named)
}

// look notes how a function uses the list. It reports false if the arenas may be freed
// in another way.
func (l *arenaList) look(p *program, c *Code) bool {
	if l.named == nil && len(l.values) == 0 {
		return false
	}
	for _, in := range c.instrs() {
		switch v := in.src.(type) {
		case *ssa.IndexAddr:
			base := v.X
			if cut, ok := base.(*ssa.Slice); ok {
				base = cut.X
			}
			if l.has(base) && !l.element(p, c, v, in.Dst) {
				return false
			}
		case *ssa.Slice:
			if l.has(v.X) && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return !readsList(r) }) {
				return false
			}
		case *ssa.Call:
			if isAppend(v) && l.has(v.Call.Args[0]) {
				l.appended(v.Call.Args[1])
			} else if l.escapes(v) {
				return false
			}
		case *ssa.Return, *ssa.Store, *ssa.Send, *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Go, *ssa.Defer, *ssa.MapUpdate:
			if l.named == nil && l.escapes(v) {
				return false
			}
		}
	}
	return true
}

// escapes reports whether an instruction gives a variable's list to others.
func (l *arenaList) escapes(in ssa.Instruction) bool {
	call, _ := in.(*ssa.Call)
	if call != nil {
		if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
			return false
		}
	}
	for _, x := range in.Operands(nil) {
		if _, constant := (*x).(*ssa.Const); !constant && *x != nil && l.values[*x] {
			return true
		}
	}
	return false
}

// readsList reports whether an instruction only looks at the elements of a list.
func readsList(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.IndexAddr, *ssa.DebugRef:
		return true
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len"
	}
	return false
}

// element notes how a function uses the address of an element.
func (l *arenaList) element(p *program, c *Code, at *ssa.IndexAddr, reg Operand) bool {
	for _, use := range c.uses(reg) {
		switch v := use.src.(type) {
		case *ssa.FieldAddr:
			if isArena(fieldOf(v.X.Type(), v.Field).Type()) && !l.element(p, c, at, use.Dst) {
				return false
			}
		case *ssa.Store:
			if _, whole := v.Val.Type().Underlying().(*types.Struct); whole || leavesOut(at) != "" {
				return false
			}
			l.makes(v.Val)
		case *ssa.UnOp:
			if !isArena(v.Type()) {
				continue
			}
			for _, r := range c.uses(use.Dst) {
				if isFree(r.Name) {
					l.frees++
				} else if _, api := arenaName(r.Name); !api && r.Op != Compare {
					return false
				}
			}
		}
	}
	return true
}

// appended notes the values that are appended to the list.
func (l *arenaList) appended(more ssa.Value) {
	cut, ok := more.(*ssa.Slice)
	if !ok {
		l.mixed = true
		return
	}
	for _, r := range *cut.X.Referrers() {
		if at, ok := r.(*ssa.IndexAddr); ok {
			for _, r := range *at.Referrers() {
				if store, ok := r.(*ssa.Store); ok {
					l.makes(store.Val)
				}
			}
		}
	}
}

// makes notes an arena that the list gets.
func (l *arenaList) makes(v ssa.Value) {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || !makesArena(nameOf(call.Call.StaticCallee())) {
		l.mixed = true
		return
	}
	for _, r := range *call.Referrers() {
		if use, ok := r.(ssa.CallInstruction); ok && use.Common().StaticCallee() != nil &&
			isFree(nameOf(use.Common().StaticCallee())) {
			l.frees++
		}
	}
	if !l.made.IsValid() || call.Pos() < l.made {
		l.made = call.Pos()
	}
}
