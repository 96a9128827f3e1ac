package source

import (
	"go/ast"
	"go/types"
	"strings"
)

// functions returns the declarations of a file, in its order.
func (w *walker) functions(f *ast.File) []Function {
	var all []Function
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		all = append(all, Function{
			Name:    declaredName(fn),
			First:   w.fset.Position(fn.Pos()).Line,
			Last:    w.fset.Position(fn.End()).Line,
			Request: servesRequest(fn.Type),
			Returns: w.returnsMemory(fn),
		})
	}
	return all
}

// declaredName returns a function's name as symbols have it, after the package
// and without type arguments: "(*Store).Put".
func declaredName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	recv, star := fn.Recv.List[0].Type, false
	if p, ok := ast.Unparen(recv).(*ast.StarExpr); ok {
		recv, star = p.X, true
	}
	name, _, _ := strings.Cut(types.ExprString(recv), "[")
	if star {
		name = "(*" + name + ")"
	}
	return name + "." + fn.Name.Name
}

// servesRequest reports whether a function serves one request, by its parameters. Its
// objects live as long as the request.
func servesRequest(t *ast.FuncType) bool {
	for _, p := range t.Params.List {
		switch strings.TrimPrefix(types.ExprString(p.Type), "*") {
		case "http.ResponseWriter", "http.Request", "net.Conn", "gin.Context", "echo.Context", "fiber.Ctx",
			"fasthttp.RequestCtx":
			return true
		}
	}
	return false
}

// returnsMemory reports whether a function can hand memory that it made to its caller:
// where its types are not known, it can.
func (w *walker) returnsMemory(fn *ast.FuncDecl) bool {
	sig, ok := underlying(objectType(w.info.Defs[fn.Name])).(*types.Signature)
	if !ok {
		return true
	}
	for v := range sig.Results().Variables() {
		if v.Type() != types.Universe.Lookup("error").Type() && !isNumber(v.Type()) {
			return true
		}
	}
	return false
}

// isNumber reports whether values of a type are numbers or booleans, which refer to no
// memory.
func isNumber(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsNumeric|types.IsBoolean) != 0
}
