package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Callee returns the function or method that a call names, as in "fmt.Sprintf"
// and "(*bytes.Buffer).WriteString", or "" if it is not known statically.
func Callee(info *types.Info, call *ast.CallExpr) string {
	if fn := typeutil.StaticCallee(info, call); fn != nil {
		return fn.FullName()
	}
	return ""
}

// IsBuiltin reports whether call calls the predeclared function name.
func IsBuiltin(info *types.Info, call *ast.CallExpr, name string) bool {
	b, ok := typeutil.Callee(info, call).(*types.Builtin)
	return ok && b.Name() == name
}

// Variable returns the variable that an identifier denotes, or nil.
func Variable(info *types.Info, expr ast.Expr) *types.Var {
	if id, ok := ast.Unparen(expr).(*ast.Ident); ok {
		v, _ := info.ObjectOf(id).(*types.Var)
		return v
	}
	return nil
}

// Root returns the variable at the beginning of a place, as v in v.f[i].g, or nil. A
// variable of another package is its own.
func Root(info *types.Info, place ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(place).(type) {
		case *ast.SelectorExpr:
			if v, ok := info.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
				return v
			}
			place = x.X
		case *ast.IndexExpr:
			place = x.X
		case *ast.StarExpr:
			place = x.X
		default:
			return Variable(info, x)
		}
	}
}

// Pure reports whether expr only reads: constants, variables, fields, elements,
// conversions between basic types, operators and len. Evaluating it once more
// has no effect, although it may panic.
func Pure(info *types.Info, expr ast.Expr) bool {
	if info.Types[expr].Value != nil {
		return true
	}
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return Pure(info, e.X)
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil && sel.Kind() != types.FieldVal {
			return false
		}
		return Pure(info, e.X)
	case *ast.StarExpr:
		return Pure(info, e.X)
	case *ast.IndexExpr:
		return Pure(info, e.X) && Pure(info, e.Index)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && Pure(info, e.X)
	case *ast.BinaryExpr:
		return Pure(info, e.X) && Pure(info, e.Y)
	case *ast.SliceExpr:
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil && !Pure(info, i) {
				return false
			}
		}
		return Pure(info, e.X)
	case *ast.CallExpr:
		conversion := info.Types[e.Fun].IsType()
		return len(e.Args) == 1 && (conversion || IsBuiltin(info, e, "len")) && Pure(info, e.Args[0])
	}
	return false
}

// Function returns the declaration or literal of the function around c.
func Function(c inspector.Cursor) inspector.Cursor {
	for fn := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fn.Node() != c.Node() {
			return fn
		}
	}
	return c.Inspector().Root()
}

// Addressed reports whether the variable at c has its address taken: by &, by
// slicing an array, or by the call of a method with a pointer receiver.
func Addressed(info *types.Info, c inspector.Cursor) bool {
	for {
		parent := c.Parent()
		switch p := parent.Node().(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr:
			return p.Op == token.AND
		case *ast.SliceExpr:
			_, array := info.TypeOf(p.X).Underlying().(*types.Array)
			return array && p.X == c.Node()
		case *ast.IndexExpr:
			if _, array := info.TypeOf(p.X).Underlying().(*types.Array); !array || p.X != c.Node() {
				return false
			}
		case *ast.SelectorExpr:
			sel := info.Selections[p]
			if sel == nil || p.X != c.Node() {
				return false
			}
			if sel.Kind() == types.MethodVal {
				_, pointer := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
				_, has := info.TypeOf(p.X).Underlying().(*types.Pointer)
				return pointer && !has
			}
			if _, pointer := info.TypeOf(p.X).Underlying().(*types.Pointer); pointer {
				return false
			}
		default:
			return false
		}
		c = parent
	}
}
