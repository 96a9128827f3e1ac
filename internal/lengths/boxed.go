package lengths

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// compared reports whether the package may compare whole values that have a field in them,
// by reflect.DeepEqual: it calls that, and puts such a value into an interface.
func (b *blindness) compared(field *types.Var) bool {
	deep := slices.ContainsFunc(slices.Collect(maps.Keys(b.mentions)), func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		return ok && fn.FullName() == "reflect.DeepEqual"
	})
	if !deep {
		return false
	}
	for c := range b.root.Preorder() {
		e, ok := c.Node().(ast.Expr)
		if !ok || b.info.Types[e].Type == nil || !b.info.Types[e].IsValue() {
			continue
		}
		if holds(b.info.TypeOf(e), field, map[types.Type]bool{}) && b.boxes(c) {
			return true
		}
	}
	return false
}

// holds reports whether values of a type lead to a field.
func holds(t types.Type, field *types.Var, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if f.Origin() == field || holds(f.Type(), field, seen) {
				return true
			}
		}
	case *types.Map:
		return holds(t.Key(), field, seen) || holds(t.Elem(), field, seen)
	case interface{ Elem() types.Type }:
		return holds(t.Elem(), field, seen)
	}
	return false
}

// boxes reports whether the code around an expression may put its value into an interface.
// Elements and fields count as such, whatever their type.
func (b *blindness) boxes(c inspector.Cursor) bool {
	parent, i := c.Parent(), c.ParentEdgeIndex()
	switch p := parent.Node().(type) {
	case *ast.CallExpr:
		if c.ParentEdgeKind() != edge.CallExpr_Args {
			return false
		}
		if b.info.Types[p.Fun].IsType() {
			return types.IsInterface(b.info.TypeOf(p))
		}
		sig, ok := b.info.TypeOf(p.Fun).Underlying().(*types.Signature)
		if !ok {
			return true
		}
		params := sig.Params()
		if last := params.Len() - 1; sig.Variadic() && i >= last {
			slice, ok := params.At(last).Type().Underlying().(*types.Slice)
			return !ok || types.IsInterface(slice.Elem()) && !p.Ellipsis.IsValid()
		}
		return types.IsInterface(params.At(i).Type())
	case *ast.AssignStmt:
		several := len(p.Lhs) != len(p.Rhs)
		return c.ParentEdgeKind() == edge.AssignStmt_Rhs && (several || types.IsInterface(b.info.TypeOf(p.Lhs[i])))
	case *ast.ValueSpec:
		return c.ParentEdgeKind() == edge.ValueSpec_Values && p.Type != nil && types.IsInterface(b.info.TypeOf(p.Type))
	case *ast.ReturnStmt:
		results := b.resultsOf(rewrite.Function(c))
		return results == nil || results.Len() != len(p.Results) || types.IsInterface(results.At(i).Type())
	case *ast.CompositeLit, *ast.KeyValueExpr, *ast.SendStmt:
		return true
	}
	return false
}

// resultsOf returns the results of a function's type, or nil.
func (b *blindness) resultsOf(fn inspector.Cursor) *types.Tuple {
	var t types.Type
	switch fn := fn.Node().(type) {
	case *ast.FuncDecl:
		t = b.info.Defs[fn.Name].Type()
	case *ast.FuncLit:
		t = b.info.TypeOf(fn)
	}
	sig, _ := t.(*types.Signature)
	return sig.Results()
}
