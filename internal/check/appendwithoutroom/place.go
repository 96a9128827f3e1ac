package appendwithoutroom

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// place is a slice that grows: a variable, or a field of a struct that a variable has.
type place struct {
	info  *types.Info
	v     *types.Var
	field *types.Var // nil for the variable itself
}

// is reports whether an expression is the slice.
func (p place) is(e ast.Expr) bool {
	if p.field == nil {
		return rewrite.Variable(p.info, e) == p.v
	}
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && p.info.Uses[sel.Sel] == p.field && rewrite.Variable(p.info, sel.X) == p.v
}

func (p place) String() string {
	if p.field == nil {
		return p.v.Name()
	}
	return p.v.Name() + "." + p.field.Name()
}

// mentions returns how often a loop mentions the slice. It reports false if it mentions the
// struct around the slice other than by a field.
func (p place) mentions(source *rewrite.Source, loop inspector.Cursor) (n int, ok bool) {
	all := source.Mentions(loop, p.v)
	if p.field == nil {
		return len(all), true
	}
	for _, id := range all {
		sel, ok := id.Parent().Node().(*ast.SelectorExpr)
		if !ok || p.info.Selections[sel] == nil || p.info.Selections[sel].Kind() != types.FieldVal {
			return 0, false
		}
		if e, ok := id.Parent().Parent().Node().(*ast.UnaryExpr); ok && e.Op == token.AND {
			return 0, false
		}
		if p.is(sel) {
			n++
		}
	}
	return n, true
}

// places returns the slices that begin empty in a statement before a loop: its variable,
// or fields of its struct.
func places(info *types.Info, loop inspector.Cursor, start rewrite.Start) (all []place) {
	if _, slice := start.Var.Type().Underlying().(*types.Slice); slice {
		if empty(info, start.Value) {
			all = append(all, place{info: info, v: start.Var})
		}
		return all
	}
	set, ok := literal(info, start)
	if !ok {
		return nil
	}
	for c := range loop.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		sel, ok := ast.Unparen(assign.Lhs[0]).(*ast.SelectorExpr)
		if !ok || rewrite.Variable(info, sel.X) != start.Var {
			continue
		}
		s := info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
			continue
		}
		field := s.Obj().(*types.Var)
		if _, slice := field.Type().Underlying().(*types.Slice); slice && !set[field.Name()] {
			set[field.Name()] = true // it comes once
			all = append(all, place{info: info, v: start.Var, field: field})
		}
	}
	return all
}

// literal returns the names of the fields that a struct begins with. It reports false if it is not a new
// one.
func literal(info *types.Info, start rewrite.Start) (set map[string]bool, ok bool) {
	set = map[string]bool{}
	value := ast.Unparen(start.Value)
	if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
		value = ast.Unparen(address.X)
	}
	switch v := value.(type) {
	case nil:
		_, ok := start.Var.Type().Underlying().(*types.Struct)
		return set, ok
	case *ast.CallExpr:
		return set, rewrite.IsBuiltin(info, v, "new")
	case *ast.CompositeLit:
		if _, ok := info.TypeOf(v).Underlying().(*types.Struct); !ok {
			return nil, false
		}
		for _, elt := range v.Elts {
			pair, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				return nil, false
			}
			set[pair.Key.(*ast.Ident).Name] = true
		}
		return set, true
	}
	return nil, false
}
