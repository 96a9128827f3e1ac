package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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

// callsBack reports whether the initialization of variables may call a method by way of an
// interface, or any function by way of a value: in the declaration, in functions of the
// package that it leads to, or in another package that gets more than basic values.
func callsBack(pass *analysis.Pass, gen *ast.GenDecl) bool {
	w := &initialization{pass: pass, seen: map[*types.Func]bool{}}
	return w.callsBack(gen)
}

type initialization struct {
	pass *analysis.Pass
	seen map[*types.Func]bool
}

// callsBack is the same for a declaration or a body. A function literal does not run until
// its value is called.
func (w *initialization) callsBack(n ast.Node) (found bool) {
	info := w.pass.TypesInfo
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			_, function := info.TypeOf(n.X).Underlying().(*types.Signature)
			found = found || function
		case *ast.CallExpr:
			found = found || w.calls(n)
		}
		return !found
	})
	return found
}

func (w *initialization) calls(call *ast.CallExpr) bool {
	info := w.pass.TypesInfo
	if info.Types[call.Fun].IsType() || info.Types[call.Fun].IsBuiltin() {
		return false
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return w.callsBack(lit.Body)
	}
	if ofTypes(info, call) {
		return false
	}
	fn := typeutil.StaticCallee(info, call)
	switch {
	case fn == nil:
		return true
	case fn.Pkg() == w.pass.Pkg:
		return w.body(fn.Origin())
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		if _, made := ast.Unparen(sel.X).(*ast.CallExpr); !made { // the receiver may hold functions
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return !plain(info.TypeOf(arg)) })
}

// plain reports whether a value is basic, or a list of basic ones: it has no methods.
func plain(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return plain(t.Elem())
	case *types.Array:
		return plain(t.Elem())
	}
	return false
}

// ofTypes reports whether a call asks package reflect about types, which calls no function of a
// program unless it is given one. Nobody else has an implementation of reflect.Type.
func ofTypes(info *types.Info, call *ast.CallExpr) bool {
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name() == "TypeOf" || fn.Name() == "SliceOf" || fn.Name() == "PointerTo"
	}
	return types.TypeString(recv.Type(), nil) == "reflect.Type" && fn.Name() != "FieldByNameFunc"
}

// body is callsBack for the body of a function of the package.
func (w *initialization) body(fn *types.Func) bool {
	if w.seen[fn] {
		return false
	}
	w.seen[fn] = true
	for _, file := range w.pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && w.pass.TypesInfo.Defs[decl.Name] == fn {
				return decl.Body == nil || w.callsBack(decl.Body)
			}
		}
	}
	return true
}
