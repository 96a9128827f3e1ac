package appendwithoutroom

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// least is the number of statements from which on one allocation is likely to save another.
const least = 2

// straight reports a builder or a slice of the statement at c that the statements behind it
// fill one after the other. A capacity that is too small or too large changes nothing but
// the number of allocations, so only texts count that can be measured at c.
func (s *search) straight(c inspector.Cursor, v *types.Var, value ast.Expr) {
	f := s.source.File(c)
	if f == nil || !c.Parent().Valid() {
		return
	}
	w := &writes{info: s.pass.TypesInfo, v: v}
	a := appends{place: place{info: s.pass.TypesInfo, v: v}}
	_, slice := v.Type().Underlying().(*types.Slice)
	all, filled := &sum{}, []ast.Node{}
	for next, ok := c.NextSibling(); ok; next, ok = next.NextSibling() {
		stmt, ok := next.Node().(ast.Stmt)
		if !ok {
			break
		}
		var more *sum
		if slice {
			more = a.sum(stmt)
		} else if call := written(stmt); call != nil && w.is(call) {
			if more, ok = w.written(call); !ok {
				more = &sum{}
			}
		}
		if more == nil {
			if mentions(s.pass.TypesInfo, stmt, v) {
				if s.growsIn(next, v) {
					return // nobody knows how long it gets
				}
				break
			}
			continue
		}
		filled = append(filled, stmt)
		all.constant += more.constant
		for _, e := range more.lengths {
			if !rewrite.Panics(s.pass.TypesInfo, e) && f.Means(e, c.Node().Pos()) {
				all.lengths = append(all.lengths, e)
			}
		}
	}
	if len(filled) < least || len(all.lengths) == 0 {
		return
	}
	fix := s.sized(f, c, v, value, all)
	if fix == nil {
		return
	}
	report(s.pass, filled, v.Name()+" grows to a length that is known before", fix)
}

// growsIn reports whether a statement or one behind it, in the same list, makes v grow.
func (s *search) growsIn(c inspector.Cursor, v *types.Var) bool {
	w := &writes{info: s.pass.TypesInfo, v: v}
	for next, ok := c, true; ok; next, ok = next.NextSibling() {
		if rewrite.Writes(s.pass.TypesInfo, next.Node(), v) {
			return true
		}
		for call := range next.Preorder((*ast.CallExpr)(nil)) {
			if w.is(call.Node().(*ast.CallExpr)) {
				return true
			}
		}
	}
	return false
}

// written returns the call that a statement consists of, or nil.
func written(stmt ast.Stmt) *ast.CallExpr {
	if s, ok := stmt.(*ast.ExprStmt); ok {
		call, _ := ast.Unparen(s.X).(*ast.CallExpr)
		return call
	}
	return nil
}

// sized gives a builder room behind its declaration, or a slice a capacity.
func (s *search) sized(
	f *rewrite.File, c inspector.Cursor, v *types.Var, value ast.Expr, all *sum,
) []analysis.SuggestedFix {
	pos := c.Node().Pos()
	n := all.text(f)
	const message = "Allocate once"
	_, slice := v.Type().Underlying().(*types.Slice)
	if !f.Universe("len", pos) {
		return nil
	}
	if !slice {
		_, indent, alone := f.Above(pos)
		end, last := f.Rest(c.Node())
		if !alone || !last {
			return nil
		}
		return f.Fix(message, rewrite.Insert(end+1, indent+v.Name()+".Grow("+n+")\n"))
	}
	if !f.Universe("make", pos) {
		return nil
	}
	switch e := value.(type) {
	case nil:
		// Something is appended in any case, so that the slice does not stay nil.
		typ, ok := f.TypeText(v.Type(), pos)
		if !ok || all.constant == 0 {
			return nil
		}
		return f.Fix(message, rewrite.Replace(c.Node(), v.Name()+" := make("+typ+", 0, "+n+")"))
	case *ast.CompositeLit:
		return f.Fix(message, rewrite.Replace(e, "make("+f.Text(e.Type)+", 0, "+n+")"))
	case *ast.CallExpr:
		if len(e.Args) == 2 {
			return f.Fix(message, rewrite.Insert(e.Args[1].End(), ", "+n))
		}
	}
	return nil
}

// declared returns the variable that a statement declares alone, and its value.
func declared(info *types.Info, n ast.Node) (*types.Var, ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			v, _ := info.Defs[id].(*types.Var)
			return v, ast.Unparen(n.Rhs[0])
		}
	case *ast.DeclStmt:
		gen := n.Decl.(*ast.GenDecl)
		if gen.Tok != token.VAR || len(gen.Specs) != 1 {
			return nil, nil
		}
		spec := gen.Specs[0].(*ast.ValueSpec)
		if len(spec.Names) == 1 && len(spec.Values) == 0 {
			v, _ := info.Defs[spec.Names[0]].(*types.Var)
			return v, nil
		}
	}
	return nil, nil
}

// straights reports what the statements of a package declare and fill.
func (s *search) straights(root inspector.Cursor) {
	for c := range root.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil)) {
		v, value := declared(s.pass.TypesInfo, c.Node())
		if v == nil {
			continue
		}
		if _, slice := v.Type().Underlying().(*types.Slice); slice && !empty(s.pass.TypesInfo, value) {
			continue
		} else if !slice && (value != nil || !isBuilder(v) || !s.known(c, v)) {
			continue
		}
		s.straight(c, v, value)
	}
}
