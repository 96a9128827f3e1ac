package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// accessed notes text that methods of a library's value return and that is put where it outlives
// the function, as in id := doc.Get("id").String(): the library may hand out a part of the memory
// that it made for the value. Of the value itself, a local variable, only methods are called.
func (w *walker) accessed(n *ast.CallExpr, callee string) {
	value, ok := receiverOf(n).(*ast.Ident)
	text := w.typeOf(n)
	if !ok || !isText(text) && !isBytes(text) || !w.isForeign(callee) || !w.kept(n, value) || !w.onlyCalled(value) {
		return
	}
	made := w.assignedBefore(value)
	if !made.IsValid() {
		return
	}
	w.add(n.Lparen, Allocation{
		Kind: Slicing, Text: w.text(n), Type: w.name(text), Target: value.Name, Callee: callee,
		Made: w.position(made),
	})
}

// isForeign reports whether a function, by its name in profiles, is of another module and not of
// the standard library, whose packages have no host.
func (w *walker) isForeign(function string) bool {
	host, _, _ := strings.Cut(function, "/")
	return w.pkg != nil && strings.Contains(host, ".") && strings.Contains(function, "/") && !sameModule(function, w.pkg.Path())
}

// onlyCalled reports whether a function does nothing with a local variable but call its methods,
// once it has a value.
func (w *walker) onlyCalled(id *ast.Ident) bool {
	v, ok := w.object(id).(*types.Var)
	body := w.function()
	if !ok || body == nil || v.IsField() {
		return false
	}
	only := true
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		use, ok := n.(*ast.Ident)
		if !ok || w.info.Uses[use] != v || len(stack) < 2 {
			return only
		}
		sel, selects := stack[len(stack)-1].(*ast.SelectorExpr)
		call, calls := stack[len(stack)-2].(*ast.CallExpr)
		a, assigns := stack[len(stack)-1].(*ast.AssignStmt)
		switch {
		case selects && calls && call.Fun == ast.Expr(sel):
		case assigns && a.Tok == token.ASSIGN && use.Pos() < a.TokPos:
		default:
			only = false
		}
		return only
	})
	return only
}
