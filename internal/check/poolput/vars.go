package poolput

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// followed returns the local variables of a function whose memory it puts into a
// pool, those that it captures, and such fields of them. Only it and the functions
// around it assign them, so that their values are known.
func followed(info *types.Info, helpers *pooled.Helpers, fn inspector.Cursor) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	operands := map[ast.Expr]bool{}
	for c := range fn.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		for _, e := range helpers.Put(call) {
			operands[e] = true
		}
		for _, v := range helpers.PutMemory(call) {
			if reference(v) {
				vars[v] = true
			}
		}
	}
	if len(vars) == 0 {
		return nil
	}
	for c := range fn.Preorder((*ast.AssignStmt)(nil)) { // the owners of their memory, and fields that hold it
		assign := c.Node().(*ast.AssignStmt)
		for i, left := range assign.Lhs {
			v := helpers.Place(left)
			if v == nil || i > 0 && len(assign.Lhs) != len(assign.Rhs) {
				continue
			}
			owner := helpers.Memory(assign.Rhs[i])
			if vars[v] && owner != nil && reference(owner) {
				vars[owner] = true
			} else if vars[owner] && reference(v) && helpers.Root(v) != v {
				vars[v] = true
			}
		}
	}
	for c := range fn.Preorder((*ast.SelectorExpr)(nil)) { // fields that a put variable takes along
		v := helpers.Place(c.Node().(*ast.SelectorExpr))
		if v == nil || helpers.Root(v) == v || !vars[helpers.Root(v)] || !reference(v) {
			continue
		}
		if helpers.Reused(v) {
			vars[v] = true
		}
	}
	outer := declaration(fn)
	lost := unknown(info, helpers, fn, outer, operands)
	maps.DeleteFunc(vars, func(v *types.Var, _ bool) bool {
		root := helpers.Root(v)
		local := !root.IsField() && root.Pkg() != nil && root.Parent() != root.Pkg().Scope() && within(root, outer.Node())
		return !local || lost[v] || lost[root]
	})
	return vars
}

// unknown returns the variables of outer and their fields whose values fn does not
// know: their address is taken, a function that is not around fn assigns them, or they
// are always nil.
func unknown(info *types.Info, helpers *pooled.Helpers, fn, outer inspector.Cursor, operands map[ast.Expr]bool) map[*types.Var]bool {
	lost := map[*types.Var]bool{}
	for c := range outer.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil)) {
		v := helpers.Place(c.Node().(ast.Expr))
		if v == nil {
			continue
		}
		inner := rewrite.Function(c).Node()
		around := inner.Pos() <= fn.Node().Pos() && fn.Node().End() <= inner.End()
		if addressed(info, c, operands) || !around && (assigned(c) || within(helpers.Root(v), inner)) {
			lost[v] = true
		}
	}
	for v := range null(info, outer) {
		lost[v] = lost[v] || reference(v)
	}
	return lost
}

// null returns the variables that a function declares without a value, or as nil, and
// never assigns. Of a pointer, such a variable is nil.
func null(info *types.Info, fn inspector.Cursor) map[*types.Var]bool {
	all := map[*types.Var]bool{}
	for c := range fn.Preorder((*ast.ValueSpec)(nil)) {
		spec := c.Node().(*ast.ValueSpec)
		for i, name := range spec.Names {
			if len(spec.Values) == 0 || len(spec.Values) == len(spec.Names) && info.Types[spec.Values[i]].IsNil() {
				all[rewrite.Variable(info, name)] = true
			}
		}
	}
	for c := range fn.Preorder((*ast.Ident)(nil)) {
		if assigned(c) {
			delete(all, rewrite.Variable(info, c.Node().(*ast.Ident)))
		}
	}
	delete(all, nil)
	return all
}

// declaration returns the declared function around a function. Without one, as in the
// initializer of a variable, it is the function itself.
func declaration(fn inspector.Cursor) inspector.Cursor {
	for decl := range fn.Enclosing((*ast.FuncDecl)(nil)) {
		return decl
	}
	return fn
}

// within reports whether v is declared in n.
func within(v *types.Var, n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }

// addressed reports whether the variable at c has its address taken, other than
// for a Put.
func addressed(info *types.Info, c inspector.Cursor, operands map[ast.Expr]bool) bool {
	if unary, ok := c.Parent().Node().(*ast.UnaryExpr); ok && unary.Op == token.AND && operands[unary] {
		return false
	}
	return rewrite.Addressed(info, c)
}

// assigned reports whether the statement around c assigns the variable at c.
func assigned(c inspector.Cursor) bool {
	switch p := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		for _, left := range p.Lhs {
			if left == c.Node() {
				return true
			}
		}
	case *ast.RangeStmt:
		return p.Key == c.Node() || p.Value == c.Node()
	}
	return false
}

// reference reports whether copies of a variable can share memory. A variable of
// a type parameter's type is no reference: its type can be int.
func reference(v *types.Var) bool {
	t := types.Unalias(v.Type())
	if _, parameter := t.(*types.TypeParam); parameter {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// closures returns the variables of a function that hold one closure and no other.
func closures(info *types.Info, fn inspector.Cursor) map[*types.Var]*ast.BlockStmt {
	all := map[*types.Var]*ast.BlockStmt{}
	for c := range fn.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		for i, left := range assign.Lhs {
			v := rewrite.Variable(info, left)
			if v == nil || len(assign.Lhs) != len(assign.Rhs) {
				continue
			}
			lit, ok := assign.Rhs[i].(*ast.FuncLit)
			if _, again := all[v]; again || !ok || assign.Tok != token.DEFINE {
				all[v] = nil
			} else {
				all[v] = lit.Body
			}
		}
	}
	return all
}

// PutMemory also knows the closures that variables of the function hold.
func (f *function) PutMemory(call *ast.CallExpr) []*types.Var {
	all := f.Helpers.PutMemory(call)
	if body := f.closures[rewrite.Variable(f.pass.TypesInfo, call.Fun)]; body != nil {
		for v := range f.vars {
			if !within(v, body) && f.Puts(body, v) {
				all = append(all, v)
			}
		}
	}
	return all
}
