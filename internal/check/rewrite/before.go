package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// Start is the statement that gives a variable its first value.
type Start struct {
	Var      *types.Var
	Value    ast.Expr // nil for var v T
	Adjacent bool     // nothing stands between it and the loop
}

// Starts yields the variables that are declared in the statements before c, in
// the same list, and that no statement between mentions.
func Starts(info *types.Info, c inspector.Cursor) []Start {
	if _, labeled := c.Parent().Node().(*ast.LabeledStmt); labeled {
		c = c.Parent()
	}
	var all []Start
	var between []inspector.Cursor
	for prev, ok := c.PrevSibling(); ok; prev, ok = prev.PrevSibling() {
		for _, s := range declared(info, prev.Node()) {
			s.Adjacent = len(between) == 0
			free := true
			for _, b := range between {
				free = free && len(Mentions(info, b, s.Var)) == 0
			}
			if free {
				all = append(all, s)
			}
		}
		between = append(between, prev)
	}
	return all
}

// declared returns the variables that a statement declares, one name on the left
// at a time.
func declared(info *types.Info, n ast.Node) []Start {
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
