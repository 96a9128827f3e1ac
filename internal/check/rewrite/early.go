package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// early reports whether a variable of the package that is declared before a function gets
// its value by calls that may end in the function. Go initializes variables in the order
// of their declarations, but for those that an expression leads to by names. A variable at
// the function is not among them if a call on the way is one of a method, by way of an
// interface.
func early(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	if !methodReaches(pass, fn, map[*ast.FuncDecl]bool{}) {
		return false
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if ok && gen.Tok == token.VAR && gen.Pos() < fn.Pos() && callsBack(pass, gen) {
				return true
			}
		}
	}
	return false
}

// methodReaches reports whether a function is a method, or mentioned by one or by a
// function that one leads to.
func methodReaches(pass *analysis.Pass, fn *ast.FuncDecl, seen map[*ast.FuncDecl]bool) bool {
	if fn.Recv != nil {
		return true
	}
	seen[fn] = true
	object := pass.TypesInfo.Defs[fn.Name]
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			by, ok := decl.(*ast.FuncDecl)
			if ok && !seen[by] && refersTo(pass, by, object) && methodReaches(pass, by, seen) {
				return true
			}
		}
	}
	return false
}

func refersTo(pass *analysis.Pass, n ast.Node, object types.Object) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && pass.TypesInfo.Uses[id] == object
		return !found
	})
	return found
}

// callsBack reports whether a declaration calls a function of the package, or hands
// another one more than constants of types without methods.
func callsBack(pass *analysis.Pass, gen *ast.GenDecl) (found bool) {
	ast.Inspect(gen, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || pass.TypesInfo.Types[call.Fun].IsType() {
			return !found
		}
		fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
		found = found || !ok && !pass.TypesInfo.Types[call.Fun].IsBuiltin() || ok && fn.Pkg() == pass.Pkg
		for _, arg := range call.Args {
			_, basic := types.Unalias(pass.TypesInfo.TypeOf(arg)).(*types.Basic)
			found = found || ok && (!basic || pass.TypesInfo.Types[arg].Value == nil)
		}
		return !found
	})
	return found
}
