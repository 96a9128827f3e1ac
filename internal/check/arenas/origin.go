package arenas

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// hold is the way in which a value depends on an arena.
type hold int

const (
	memory      hold = iota + 1 // it is, or points to, memory of the arena
	contents                    // it was decoded, and refers to memory of the arena
	withoutText                 // it was decoded, but its strings and bytes are on the heap
	holder                      // it lies elsewhere, and some of it refers to the arena
	slab                        // it is a Slab, which survives Reset
	constant                    // it depends on no arena: a constant, nil or a zero value
)

// An origin is the arena that a value depends on.
type origin struct {
	arena *types.Var
	hold  hold
	mark  *types.Var // the newest checkpoint at that time
}

// meet is the origin of a value that has either origin. A constant may be a default:
// it hides nothing of the other way.
func (o origin) meet(p origin) (origin, bool) {
	switch {
	case o == p:
		return o, o != origin{}
	case p.hold == constant && o != origin{}:
		return o, true
	case o.hold == constant && p != origin{}:
		return p, true
	case o.arena == p.arena && o.hold == p.hold:
		return origin{arena: o.arena, hold: o.hold}, true
	}
	return origin{}, false
}

// made are functions of the arena package whose result is memory of their first
// argument's arena; of methods, of the receiver's.
var made = map[string]bool{
	"New": true, "MakeSlice": true, "Bytes": true, "AlignedBytes": true, "String": true, "Append": true, "Concat": true,
	"ReflectNew": true, "NewMap": true, "NewSlab": true, "NewBuffer": true,
	"Slab.New": true, "Slab.MakeSlice": true, "Buffer.Bytes": true, "Buffer.String": true, "Map.At": true,
}

// origin returns the arena that the value of an expression depends on.
func (f *function) origin(e ast.Expr, s state) (o origin) {
	if tv := f.info.Types[e]; tv.Value != nil || tv.IsNil() {
		return origin{hold: constant}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return s.from[rewrite.Variable(f.info, e)]
	case *ast.SliceExpr:
		return f.origin(e.X, s)
	case *ast.SelectorExpr:
		if v := rewrite.Variable(f.info, e.X); slices.Contains(f.owners[v], e.Sel.Name) {
			return origin{arena: v, hold: memory}
		}
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return origin{}
		}
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return f.origin(lit, s)
		}
		for x := ast.Unparen(e.X); ; {
			switch place := x.(type) {
			case *ast.SelectorExpr:
				x = ast.Unparen(place.X)
			case *ast.IndexExpr:
				x = ast.Unparen(place.X)
			default:
				if o := f.origin(x, s); o.hold == memory {
					return o
				}
				return origin{}
			}
		}
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if o := f.origin(elt, s); o.arena != nil {
				return origin{o.arena, holder, o.mark}
			}
		}
	case *ast.CallExpr:
		return f.result(e, s)
	}
	return origin{}
}

// result is the origin of a call's first result.
func (f *function) result(call *ast.CallExpr, s state) origin {
	if tv := f.info.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
		if copies(tv.Type, f.info.TypeOf(call.Args[0])) {
			return origin{}
		}
		return f.origin(call.Args[0], s)
	}
	if rewrite.IsBuiltin(f.info, call, "append") {
		switch o := f.origin(call.Args[0], s); {
		case o.arena != nil:
			return o
		case call.Ellipsis.IsValid():
			return origin{}
		}
		for _, arg := range call.Args[1:] {
			if o := f.origin(arg, s); o.arena != nil {
				return origin{o.arena, holder, o.mark}
			}
		}
		return origin{}
	}
	args := f.arguments(call)
	if name, ok := api(f.info, call); ok {
		if !made[name] || len(args) == 0 {
			return origin{}
		}
		if v := f.arena(args[0]); v != nil {
			if name == "NewSlab" {
				return origin{v, slab, s.marks[v]}
			}
			return origin{v, memory, s.marks[v]}
		}
		o := f.origin(args[0], s)
		if o.hold == slab {
			o.hold, o.mark = memory, s.marks[o.arena]
		}
		return o
	}
	if b := f.behaviour(call); b != nil && 0 <= b.From && b.From < len(args) {
		if v := f.arena(args[b.From]); v != nil {
			return origin{v, memory, s.marks[v]}
		}
		return f.origin(args[b.From], s)
	}
	return origin{}
}

// copies reports whether a conversion between two types copies the memory.
func copies(to, from types.Type) bool {
	if from == nil {
		return true
	}
	isString := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	}
	return isString(to) != isString(from)
}

// arguments are those of a call, with the receiver of a method first.
func (f *function) arguments(call *ast.CallExpr) []ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.info.Selections[sel] != nil && f.info.Selections[sel].Kind() == types.MethodVal {
		return append([]ast.Expr{sel.X}, call.Args...)
	}
	return call.Args
}

// behaviour is that of the function that a call names, nil if it is not known.
func (f *function) behaviour(call *ast.CallExpr) *behaviour {
	fn := typeutil.StaticCallee(f.info, call)
	if fn == nil {
		return nil
	}
	b := new(behaviour)
	if !f.pass.ImportObjectFact(fn.Origin(), b) {
		return nil
	}
	return b
}
