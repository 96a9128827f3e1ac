package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// findShrinking notes the variables and fields of maps and slices that a file
// makes smaller: delete and clear, s = s[i:], a new value given to what is not
// only being initialized.
func (w *walker) findShrinking(f *ast.File) {
	var inside *ast.FuncDecl
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			inside = n
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			if ok && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 {
				w.shrink(n.Args[0])
			}
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN {
				return true
			}
			for i, l := range n.Lhs {
				if i < len(n.Rhs) && !w.adds(n.Rhs[i]) && !w.initializes(inside, l) {
					if _, element := ast.Unparen(l).(*ast.IndexExpr); !element {
						w.shrink(l)
					}
				}
			}
		}
		return true
	})
}

func (w *walker) shrink(e ast.Expr) {
	if o := w.object(e); o != nil {
		w.shrinks[o] = true
	}
}

// adds says whether the value is what an append returns.
func (w *walker) adds(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := c.Fun.(*ast.Ident)
	if !ok || id.Name != "append" || len(c.Args) == 0 {
		return false
	}
	_, part := ast.Unparen(c.Args[0]).(*ast.SliceExpr)
	return !part
}

// initializes says whether an assignment within a function only sets up: in
// main and init, and of a field of what the function itself declares.
func (w *walker) initializes(inside *ast.FuncDecl, lhs ast.Expr) bool {
	if inside == nil {
		return false
	}
	if inside.Recv == nil && (inside.Name.Name == "main" || inside.Name.Name == "init") {
		return true
	}
	sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.object(id).(*types.Var)
	return ok && inside.Body != nil && v.Pos() > inside.Body.Pos() && v.Pos() < inside.Body.End()
}
