package pooled

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Reused is the fact that a field's slice is cut to length 0 to be filled again, and
// is never set to nil, so its memory stays with the struct. Only packages with
// helpers export it.
type Reused struct{}

// AFact marks Reused as a fact.
func (*Reused) AFact() {}

func (*Reused) String() string { return "reused" }

// cut records the field in x.f[:0].
func (h *Helpers) cut(e *ast.SliceExpr) {
	zero, ok := e.High.(*ast.BasicLit)
	if !ok || e.Low != nil || zero.Value != "0" {
		return
	}
	if sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr); ok {
		if field := h.fieldOf(sel); field != nil {
			h.reused[field] = true
		}
	}
}

// exportReused exports the fact about the fields of a package.
func (h *Helpers) exportReused(pass *analysis.Pass, root inspector.Cursor) {
	dropped := map[*types.Var]bool{}
	for c := range root.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		for i, left := range assign.Lhs {
			sel, field := ast.Unparen(left).(*ast.SelectorExpr)
			if field && len(assign.Lhs) == len(assign.Rhs) && h.info.Types[assign.Rhs[i]].IsNil() {
				dropped[h.fieldOf(sel)] = true
			}
			if st, ok := h.structure(left); ok { // as in *x = T{}
				for field := range st.Fields() {
					dropped[field.Origin()] = true
				}
			}
		}
	}
	for field := range h.reused {
		if field.Exported() && field.Pkg() == pass.Pkg && !dropped[field] {
			pass.ExportObjectFact(field, new(Reused))
		}
	}
}

// structure returns the struct that an assignment to left overwrites.
func (h *Helpers) structure(left ast.Expr) (*types.Struct, bool) {
	t := h.info.TypeOf(left)
	if _, name := ast.Unparen(left).(*ast.Ident); name || t == nil {
		return nil, false
	}
	st, ok := t.Underlying().(*types.Struct)
	return st, ok
}

// Reused reports whether a place is a field of a variable whose slice is cut to nothing
// and filled again.
func (h *Helpers) Reused(v *types.Var) bool {
	fields := h.Fields(v)
	return len(fields) == 1 && (h.reused[fields[0]] || h.foreign(fields[0]))
}
