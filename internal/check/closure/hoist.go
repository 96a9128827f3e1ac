package closure

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// hoister moves functions to variables before loops.
type hoister struct {
	info   *types.Info
	source *rewrite.Source
	names  rewrite.Names
}

// fix declares a variable before the loop for the function at c, before the outermost one
// that leaves the function as it is.
func (h *hoister) fix(loop, c inspector.Cursor) []analysis.SuggestedFix {
	f := h.source.File(c)
	sel, method := c.Node().(*ast.SelectorExpr)
	if f == nil || method && !h.harmless(sel) || jumps(rewrite.Function(c)) {
		return nil
	}
	loop = h.outermost(loop, c)
	at := rewrite.WithLabel(loop)
	if !rewrite.InList(at) {
		return nil
	}
	pos := at.Node().Pos()
	above, indent, alone := f.Above(pos)
	if !alone {
		return nil
	}
	if v := h.variable(c); v != nil {
		return h.move(f, loop, c.Parent(), v, above)
	}
	name, ok := h.names.Choose(f, pos, h.unmentioned(loop, h.candidates(c))...)
	if !ok {
		return nil
	}
	value := c.Node().(ast.Expr)
	if strings.Count(f.Text(value), "\n") > maxLines {
		return nil
	}
	// The comments of a function move with it.
	return []analysis.SuggestedFix{{Message: "Make it once", TextEdits: []analysis.TextEdit{
		rewrite.Insert(above, indent+name+" := "+f.Text(value)+"\n"), rewrite.Replace(value, name),
	}}}
}

// variable returns the variable that a statement of its own declares for the function at c,
// nil if there is none.
func (h *hoister) variable(c inspector.Cursor) *types.Var {
	assign, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || c.Parent().ParentEdgeKind() != edge.BlockStmt_List {
		return nil
	}
	v, _ := h.info.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var)
	return v
}

// move declares a variable for all iterations, if they leave it as it is.
func (h *hoister) move(
	f *rewrite.File, loop, c inspector.Cursor, v *types.Var, above token.Pos,
) []analysis.SuggestedFix {
	for id := range loop.Preorder((*ast.Ident)(nil)) {
		if n := id.Node().(*ast.Ident); n.Name == v.Name() && h.info.ObjectOf(n) != v {
			return nil // it means something else there
		}
	}
	start, _, alone := f.Above(c.Node().Pos())
	end, last := f.Rest(c.Node())
	text := f.Between(start, end)
	if !onlyDefined(h.info, loop, v) || !alone || !last || strings.Count(text, "\n") > maxLines {
		return nil
	}
	end++
	if f.Between(end, end+1) == "\n" {
		end++ // the blank line behind it
	}
	if _, ok := h.names.Choose(f, loop.Node().Pos(), v.Name()); !ok {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Make it once", TextEdits: []analysis.TextEdit{
		rewrite.Insert(above, text+"\n"), {Pos: start, End: end},
	}}}
}

// onlyDefined reports whether the only statement of a loop that assigns v declares it, and
// nothing takes its address.
func onlyDefined(info *types.Info, loop inspector.Cursor, v *types.Var) bool {
	for id := range loop.Preorder((*ast.Ident)(nil)) {
		if info.Uses[id.Node().(*ast.Ident)] != v {
			continue
		}
		switch id.ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.UnaryExpr_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return false
		}
	}
	return true
}

// maxLines is the number of lines from which on a function is better left where its loop
// explains it.
const maxLines = 24

// outermost returns the outermost loop of the function for whose iterations the function
// at c is the same.
func (h *hoister) outermost(loop, c inspector.Cursor) inspector.Cursor {
	fn := rewrite.Function(c)
	for outer := range loop.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if rewrite.Function(outer) != fn || !same(h.source, outer, c) {
			break
		}
		loop = outer
	}
	return loop
}

// harmless reports whether a method value can be made where nobody called the method: that
// follows no pointer, asks no interface, and no other function changes its receiver.
func (h *hoister) harmless(sel *ast.SelectorExpr) bool {
	v := rewrite.Root(h.info, sel.X)
	s := h.info.Selections[sel]
	if v == nil || types.IsInterface(s.Recv()) || len(s.Index()) != 1 {
		return false
	}
	_, pointer := s.Recv().Underlying().(*types.Pointer)
	if _, byPointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); pointer && !byPointer {
		return false // the method gets a copy
	}
	if pointer && (rewrite.Variable(h.info, sel.X) != v || v.Parent() == v.Pkg().Scope()) {
		return false
	}
	return !rewrite.Panics(h.info, sel.X)
}

// candidates returns names for a function: of the parameter or the field that it is for,
// or of the method.
func (h *hoister) candidates(c inspector.Cursor) []string {
	var names []string
	if call, ok := c.Parent().Node().(*ast.CallExpr); ok && c.ParentEdgeKind() == edge.CallExpr_Args {
		if sig, ok := h.info.TypeOf(call.Fun).Underlying().(*types.Signature); ok {
			_, i := c.ParentEdge()
			if i < sig.Params().Len() && len(sig.Params().At(i).Name()) > 1 {
				names = append(names, sig.Params().At(i).Name())
			}
		}
	}
	switch p := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		if sel, ok := p.Lhs[0].(*ast.SelectorExpr); ok && len(p.Lhs) == 1 {
			names = append(names, rewrite.Unexported(sel.Sel.Name))
		}
	case *ast.KeyValueExpr:
		if key, ok := p.Key.(*ast.Ident); ok {
			names = append(names, rewrite.Unexported(key.Name))
		}
	}
	if sel, ok := c.Node().(*ast.SelectorExpr); ok {
		names = append([]string{rewrite.Unexported(sel.Sel.Name)}, names...)
	}
	return append(names, "fn", "visit", "call")
}

// unmentioned returns the names that nothing in a loop has: a variable of the loop would
// hide the new one.
func (h *hoister) unmentioned(loop inspector.Cursor, names []string) (free []string) {
	mentioned := map[string]bool{}
	for id := range loop.Preorder((*ast.Ident)(nil)) {
		if _, field := id.Parent().Node().(*ast.SelectorExpr); !field || id.ParentEdgeKind() == edge.SelectorExpr_X {
			mentioned[id.Node().(*ast.Ident).Name] = true
		}
	}
	for _, name := range names {
		if !mentioned[name] && token.IsIdentifier(name) && name != "_" {
			free = append(free, name)
		}
	}
	return free
}

// jumps reports whether a function has a goto, which may not jump over a declaration.
func jumps(fn inspector.Cursor) bool {
	for c := range fn.Preorder((*ast.BranchStmt)(nil)) {
		if c.Node().(*ast.BranchStmt).Tok == token.GOTO {
			return true
		}
	}
	return false
}
