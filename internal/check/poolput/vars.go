package poolput

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// followed returns the local variables of a function whose memory it puts into a
// pool, those that it captures, and such fields of them. Only it and the functions
// around it assign them, so that their values are known.
func (s *scope) followed(fn inspector.Cursor) map[*types.Var]bool {
	helpers := s.helpers
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
	maps.DeleteFunc(vars, func(v *types.Var, _ bool) bool {
		root := helpers.Root(v)
		local := !root.IsField() && root.Pkg() != nil && root.Parent() != root.Pkg().Scope() && within(root, s.at.Node())
		return !local || s.unknown(fn.Node(), v, operands) || s.unknown(fn.Node(), root, operands)
	})
	return vars
}

// scope is a declared function with the literals in it, all of which ask about its
// variables.
type scope struct {
	info     *types.Info
	helpers  *pooled.Helpers
	at       inspector.Cursor
	places   func() map[*types.Var][]inspector.Cursor // the expressions that denote each variable or field
	null     func() map[*types.Var]bool
	closures func() map[*types.Var]*ast.BlockStmt
}

func newScope(info *types.Info, helpers *pooled.Helpers, at inspector.Cursor) *scope {
	return &scope{
		info: info, helpers: helpers, at: at,
		places: sync.OnceValue(func() map[*types.Var][]inspector.Cursor {
			all := map[*types.Var][]inspector.Cursor{}
			for c := range at.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil)) {
				if v := helpers.Place(c.Node().(ast.Expr)); v != nil {
					all[v] = append(all[v], c)
				}
			}
			return all
		}),
		null:     sync.OnceValue(func() map[*types.Var]bool { return null(info, at) }),
		closures: sync.OnceValue(func() map[*types.Var]*ast.BlockStmt { return closures(info, at) }),
	}
}

// unknown reports whether fn does not know the value of a variable of the scope, or of a
// field: its address is taken, a function that is not around fn assigns it, or it is
// always nil.
func (s *scope) unknown(fn ast.Node, v *types.Var, operands map[ast.Expr]bool) bool {
	if s.null()[v] && reference(v) {
		return true
	}
	return slices.ContainsFunc(s.places()[v], func(c inspector.Cursor) bool {
		inner := rewrite.Function(c).Node()
		around := inner.Pos() <= fn.Pos() && fn.End() <= inner.End()
		return addressed(s.info, c, operands) || !around && (assigned(c) || within(s.helpers.Root(v), inner))
	})
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
