package reuse

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// AlwaysIs reports whether a condition holds for the static type of whatever the
// expression at c can hold: of the expression itself or, if that is a parameter of an
// unexported function which the package only calls, of all arguments.
func (p *Prover) AlwaysIs(c inspector.Cursor, holds func(types.Type) bool) bool {
	clear(p.followed)
	return p.alwaysIs(c, holds)
}

func (p *Prover) alwaysIs(c inspector.Cursor, holds func(types.Type) bool) bool {
	t := p.info.TypeOf(c.Node().(ast.Expr))
	if t == nil {
		return false
	}
	if !types.IsInterface(t) {
		return holds(t)
	}
	v := rewrite.Variable(p.info, c.Node().(ast.Expr))
	if v == nil || v.Kind() != types.ParamVar {
		return false
	}
	if p.followed[v] {
		return true // a recursion hands it on
	}
	p.followed[v] = true
	decl := rewrite.Function(c)
	fn, ok := decl.Node().(*ast.FuncDecl)
	if !ok || ast.IsExported(fn.Name.Name) || rewrite.Writes(p.info, fn.Body, v) {
		return false
	}
	object, ok := p.info.Defs[fn.Name].(*types.Func)
	if !ok {
		return false
	}
	sig := object.Signature()
	if sig.Variadic() || sig.TypeParams() != nil || sig.RecvTypeParams() != nil {
		return false
	}
	index := -1
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == v {
			index = i
		}
	}
	mentions := p.mentioned(c.Inspector().Root())
	if index < 0 || fn.Recv != nil && mentions.abstract[fn.Name.Name] {
		return false
	}
	for _, fun := range mentions.of[object] {
		if fun.ParentEdgeKind() == edge.SelectorExpr_Sel {
			fun = fun.Parent()
		}
		if fun.ParentEdgeKind() != edge.CallExpr_Fun || len(fun.Parent().Node().(*ast.CallExpr).Args) <= index {
			return false // it is a value, which anybody may call
		}
		if !p.alwaysIs(fun.Parent().ChildAt(edge.CallExpr_Args, index), holds) {
			return false
		}
	}
	return len(mentions.of[object]) > 0
}

// functions are the mentions of each function of the package outside of its declaration,
// and the names of the methods of interfaces.
type functions struct {
	of       map[*types.Func][]inspector.Cursor
	abstract map[string]bool
}

func (p *Prover) mentioned(root inspector.Cursor) *functions {
	if p.functions != nil {
		return p.functions
	}
	p.functions = &functions{of: map[*types.Func][]inspector.Cursor{}, abstract: map[string]bool{}}
	for id := range root.Preorder((*ast.Ident)(nil)) {
		fn, ok := p.info.ObjectOf(id.Node().(*ast.Ident)).(*types.Func)
		if !ok {
			continue
		}
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			p.functions.abstract[fn.Name()] = true
		}
		if p.info.Uses[id.Node().(*ast.Ident)] == fn {
			p.functions.of[fn] = append(p.functions.of[fn], id)
		}
	}
	return p.functions
}
