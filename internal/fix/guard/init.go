package guard

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// judgeInit refuses code that runs before main, or before a benchmark: in an init function,
// or in the initializer of a package variable. A constructor of another package, such as
// regexp.MustCompile, is fine there.
func (p *proposal) judgeInit(before, after *packages.Package) {
	known := count(initializers(before))
	for _, f := range after.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isInit(fn) {
				if text := printed(after, fn); known[text] == 0 {
					p.refuse("init", p.where(after, fn), "func init")
				} else {
					known[text]--
				}
			}
		}
		for _, v := range packageVariables(f) {
			if known[printed(after, v)] > 0 {
				continue
			}
			for _, value := range v.Values {
				ast.Inspect(value, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if ok && !after.TypesInfo.Types[call.Fun].IsType() && ofModule(after, call.Fun) {
						what := "the initializer of " + v.Names[0].Name + " runs code of the module"
						p.refuse("init", p.where(after, call), what)
					}
					_, body := n.(*ast.FuncLit)
					return !body
				})
			}
		}
	}
}

func isInit(f *ast.FuncDecl) bool { return f.Recv == nil && f.Name.Name == "init" }

// initializers returns the texts of the init functions and package variables.
func initializers(pkg *packages.Package) (texts []string) {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isInit(fn) {
				texts = append(texts, printed(pkg, fn))
			}
		}
		for _, v := range packageVariables(f) {
			texts = append(texts, printed(pkg, v))
		}
	}
	return texts
}

func packageVariables(f *ast.File) (all []*ast.ValueSpec) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

func printed(pkg *packages.Package, n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, pkg.Fset, n); err != nil {
		return err.Error() // differs from every source text
	}
	return b.String()
}

// ofModule reports whether a function is a literal, a variable, or declared in the module.
func ofModule(pkg *packages.Package, fun ast.Expr) bool {
	var name *ast.Ident
	switch f := unwrapped(fun).(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return true
	}
	switch o := pkg.TypesInfo.Uses[name].(type) {
	case *types.Builtin, *types.TypeName:
		return false
	case *types.Func:
		if o.Pkg() == nil {
			return false
		}
		path := o.Pkg().Path()
		return path == pkg.PkgPath || pkg.Module != nil && strings.HasPrefix(path+"/", pkg.Module.Path+"/")
	}
	return true
}

// unwrapped returns an expression without parentheses and type arguments.
func unwrapped(x ast.Expr) ast.Expr {
	for {
		switch is := x.(type) {
		case *ast.ParenExpr:
			x = is.X
		case *ast.IndexExpr:
			x = is.X
		case *ast.IndexListExpr:
			x = is.X
		default:
			return x
		}
	}
}
