package recompile

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// early reports whether a variable of the package that is declared before a method gets
// its value by calls that may end in the method. Go initializes variables in the order of
// their declarations, but for those that an expression refers to by name. A variable at
// the method would not be among them if the call is by way of an interface.
func early(pass *analysis.Pass, method *ast.FuncDecl) bool {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if ok && gen.Tok == token.VAR && gen.Pos() < method.Pos() && callsBack(pass, gen) {
				return true
			}
		}
	}
	return false
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
