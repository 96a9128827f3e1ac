package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Start is the statement that gives a variable its first value.
type Start struct {
	Var      *types.Var
	Value    ast.Expr // nil for var v T
	Adjacent bool     // nothing stands between it and the loop
}

// Starts returns the variables that c mentions, that are declared in the statements
// before c, in the same list, and that no statement between mentions. The nearest
// statement comes first. Results of the function with names come last.
func (s *Source) Starts(c inspector.Cursor) []Start {
	if _, labeled := c.Parent().Node().(*ast.LabeledStmt); labeled {
		c = c.Parent()
	}
	seen := map[*types.Var]bool{}
	var results []Start
	before := map[inspector.Cursor]bool{}
	for id := range c.Preorder((*ast.Ident)(nil)) {
		v, ok := s.Info.Uses[id.Node().(*ast.Ident)].(*types.Var)
		if !ok || seen[v] || c.Node().Pos() <= v.Pos() {
			continue
		}
		seen[v] = true
		if at, ok := s.Declaration(c, v); ok {
			before[at] = true
		} else if s.firstIn(c, v) {
			results = append(results, Start{Var: v})
		}
	}
	nearest := func(a, b inspector.Cursor) int { return int(b.Node().Pos() - a.Node().Pos()) }
	var all []Start
	for _, at := range slices.SortedFunc(maps.Keys(before), nearest) {
		next, _ := at.NextSibling()
		for _, start := range Declared(s.Info, at.Node()) {
			start.Adjacent = next == c
			mentions := s.mentions()[start.Var]
			after := slices.IndexFunc(mentions, func(id inspector.Cursor) bool { return !at.Contains(id) })
			if after >= 0 && c.Contains(mentions[after]) {
				all = append(all, start)
			}
		}
	}
	return append(all, results...)
}

// firstIn reports whether c is a statement of the function itself, and the first that
// mentions a result of the function. A deferred function could see the result after a
// panic.
func (s *Source) firstIn(c inspector.Cursor, v *types.Var) bool {
	switch c.Parent().ParentEdgeKind() {
	case edge.FuncDecl_Body, edge.FuncLit_Body:
	default:
		return false
	}
	fn := Function(c)
	all := s.mentions()[v]
	if v.Kind() != types.ResultVar || v.Pos() < fn.Node().Pos() || len(all) < 2 || Function(all[1]) != fn || !c.Contains(all[1]) {
		return false
	}
	for range fn.Preorder((*ast.DeferStmt)(nil)) {
		return false
	}
	return true
}

// Declaration returns the statement of c's list that declares a variable.
func (s *Source) Declaration(c inspector.Cursor, v *types.Var) (inspector.Cursor, bool) {
	all := s.mentions()[v]
	if len(all) == 0 {
		return c, false
	}
	for at := all[0]; at.Node() != nil; at = at.Parent() {
		if _, statement := at.Node().(ast.Stmt); statement && at.Parent() == c.Parent() {
			return at, at.Node() != c.Node()
		}
		if at.Parent().Node() == nil {
			break
		}
	}
	return c, false
}

// Declared returns the variables that a statement declares, one name on the left
// at a time.
func Declared(info *types.Info, n ast.Node) []Start {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			if v := Variable(info, n.Lhs[0]); v != nil {
				return []Start{{Var: v, Value: n.Rhs[0]}}
			}
		}
	case *ast.DeclStmt:
		gen, _ := n.Decl.(*ast.GenDecl)
		if gen == nil || gen.Tok != token.VAR {
			return nil
		}
		var all []Start
		for i, spec := range gen.Specs {
			spec := spec.(*ast.ValueSpec)
			if len(spec.Values) > 0 && (len(spec.Names) != 1 || i+1 != len(gen.Specs)) {
				continue // a later value could mention it
			}
			for _, name := range spec.Names {
				s := Start{Var: Variable(info, name)}
				if len(spec.Values) > 0 {
					s.Value = spec.Values[0]
				}
				if s.Var != nil {
					all = append(all, s)
				}
			}
		}
		return all
	}
	return nil
}
