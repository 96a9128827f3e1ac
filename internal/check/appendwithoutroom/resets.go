package appendwithoutroom

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// resets reports a strings.Builder that a loop resets and fills again. Its String hands out the
// memory, so Reset has to drop that. A bytes.Buffer copies the text and keeps its memory.
func (s *search) resets(c inspector.Cursor) {
	v, typ := s.emptyBuilder(c.Node())
	if v == nil || rewrite.Once(s.pass, c) {
		return
	}
	var fills []*ast.CallExpr
	refilled, read := false, false
	for _, use := range s.source.Mentions(rewrite.Function(c), v) {
		if s.pass.TypesInfo.Defs[use.Node().(*ast.Ident)] == v {
			continue
		}
		call, name := s.builderCall(use)
		switch name {
		case "":
			return
		case "String":
			read = true
		case "Reset":
			refilled = refilled || inLoop(c, use)
		case "Grow", "Len":
		default:
			fills = append(fills, call)
		}
	}
	if !refilled || !read || len(fills) == 0 {
		return
	}
	var fixes []analysis.SuggestedFix
	if file := s.source.File(c); file != nil {
		if bytes, imports, ok := file.Import("bytes", typ.Pos()); ok {
			fixes = file.Fix("Use a bytes.Buffer", append(imports, rewrite.Replace(typ, bytes+"Buffer"))...)
		}
	}
	report(s.pass, fills, "each Reset drops the memory of the strings.Builder: a bytes.Buffer keeps it", fixes)
}

// emptyBuilder returns the variable that a statement declares as an empty strings.Builder, and
// the type as it is written.
func (s *search) emptyBuilder(n ast.Node) (v *types.Var, typ ast.Expr) {
	var id *ast.Ident
	switch stmt := n.(type) {
	case *ast.AssignStmt:
		if lit, ok := stmt.Rhs[0].(*ast.CompositeLit); ok && len(stmt.Lhs) == 1 && len(lit.Elts) == 0 {
			id, _ = stmt.Lhs[0].(*ast.Ident)
			typ = lit.Type
		}
	case *ast.DeclStmt:
		gen := stmt.Decl.(*ast.GenDecl)
		spec, ok := gen.Specs[0].(*ast.ValueSpec)
		if ok && len(gen.Specs) == 1 && len(spec.Names) == 1 && len(spec.Values) == 0 {
			id, typ = spec.Names[0], spec.Type
		}
	}
	if id == nil {
		return nil, nil
	}
	v, _ = s.pass.TypesInfo.Defs[id].(*types.Var) // nil if it is not new
	_, named := typ.(*ast.SelectorExpr)           // another name comes from a dot import
	if v == nil || !named || types.TypeString(v.Type(), nil) != "strings.Builder" {
		return nil, nil
	}
	return v, typ
}

// builderMethods do the same in bytes.Buffer. Cap does not, and neither does Grow of a negative
// number, whose panic names the type.
var builderMethods = []string{"Grow", "Len", "Reset", "String", "Write", "WriteByte", "WriteRune", "WriteString"}

// builderCall returns the call that uses a builder at c and the method's name, or "write" for a
// function that only writes to it. The name is "" for all other uses.
func (s *search) builderCall(c inspector.Cursor) (*ast.CallExpr, string) {
	switch up := c.Parent(); c.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		name := up.Node().(*ast.SelectorExpr).Sel.Name
		if up.ParentEdgeKind() != edge.CallExpr_Fun || !slices.Contains(builderMethods, name) {
			return nil, ""
		}
		call := up.Parent().Node().(*ast.CallExpr)
		if name == "Grow" && !s.positive(call.Args[0]) {
			return nil, ""
		}
		return call, name
	case edge.UnaryExpr_X:
		if up.Node().(*ast.UnaryExpr).Op != token.AND || up.ParentEdgeKind() != edge.CallExpr_Args {
			return nil, ""
		}
		call := up.Parent().Node().(*ast.CallExpr)
		switch rewrite.Callee(s.pass.TypesInfo, call) {
		case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString":
			if call.Args[0] == up.Node() {
				return call, "write"
			}
		}
	}
	return nil, ""
}

// positive reports whether a number cannot be negative, as far as its text shows.
func (s *search) positive(e ast.Expr) bool {
	if value := s.pass.TypesInfo.Types[e].Value; value != nil {
		return constant.Sign(value) >= 0
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && rewrite.IsBuiltin(s.pass.TypesInfo, call, "len")
}

// inLoop reports whether code runs again for the variable that a statement declares: it is in a
// loop of the same function that does not declare the variable again.
func inLoop(declared, c inspector.Cursor) bool {
	if rewrite.Function(c) != rewrite.Function(declared) {
		return false
	}
	for loop := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return !loop.Contains(declared)
	}
	return false
}
