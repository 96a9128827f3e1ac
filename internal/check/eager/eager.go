// Package eager finds values that are computed before a branch, though only the branch
// needs them.
package eager

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report texts that are made before a branch though only the branch needs them

A text that is made for a message, or for the key of a slow path, costs as much where
nobody reads it:

	key := prefix + "." + name
	if !enabled {
		return nil
	}
	if err := check(name); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}

The check reports a variable whose value is a text, if all mentions of it are in the body
of one later if statement. The fix moves the statement to the beginning of that body. Its
preconditions:

  - the value is a sum of strings, or a call of strconv, strings, path or fmt.Sprint and
    its like that does nothing but make a text, with numbers, strings and booleans as
    arguments;
  - these are constants and variables that only the function sees, and that nothing
    assigns up to the body;
  - names mean the same in the body.

It is silent where the code runs once, and in tests.`

// Analyzer finds texts that a branch should make.
var Analyzer = &analysis.Analyzer{
	Name:     "eager",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	source := rewrite.Of(pass)
	for c, assign := range rewrite.Nodes[*ast.AssignStmt](pass) {
		if assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || !makesText(pass.TypesInfo, assign.Rhs[0]) {
			continue
		}
		v, _ := pass.TypesInfo.Defs[assign.Lhs[0].(*ast.Ident)].(*types.Var)
		if v == nil || rewrite.Once(pass, c) {
			continue
		}
		branch, ok := needs(source, c, v)
		if !ok || !constant(source, c, branch, assign.Rhs[0]) {
			continue
		}
		fix := sink(source, c, branch)
		if fix == nil {
			continue
		}
		pass.Report(analysis.Diagnostic{
			Pos: assign.Pos(), End: assign.End(), SuggestedFixes: fix,
			Message: "only a branch needs " + v.Name() + ": make it there",
		})
	}
	return nil, nil
}

// needs returns the if statement of c's list whose body has all mentions of v.
func needs(source *rewrite.Source, c inspector.Cursor, v *types.Var) (inspector.Cursor, bool) {
	if !rewrite.InList(c) {
		return c, false
	}
	uses := source.Mentions(c.Parent(), v)
	if len(uses) < 2 {
		return c, false
	}
	for next, ok := c.NextSibling(); ok; next, ok = next.NextSibling() {
		if !next.Contains(uses[1]) {
			continue
		}
		branch, ok := next.Node().(*ast.IfStmt)
		if !ok {
			return c, false
		}
		scope := source.Info.Scopes[branch.Body]
		if len(branch.Body.List) == 0 || scope == nil || scope.Lookup(v.Name()) != nil {
			return c, false
		}
		for _, use := range uses[1:] {
			if use.Node().Pos() < branch.Body.Pos() || branch.Body.End() < use.Node().Pos() {
				return c, false
			}
		}
		return next, true
	}
	return c, false
}

// constant reports whether the value at c is the same in the body of the branch.
func constant(source *rewrite.Source, c, branch inspector.Cursor, value ast.Expr) bool {
	info, fn := source.Info, rewrite.Function(c)
	body := branch.Node().(*ast.IfStmt).Body
	same := true
	ast.Inspect(value, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return same
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() {
			return same
		}
		same = same && source.Local(fn, v)
		for next, ok := c.NextSibling(); ok && same; next, ok = next.NextSibling() {
			if next != branch {
				same = !rewrite.Writes(info, next.Node(), v)
				continue
			}
			same = !before(info, branch.Node().(*ast.IfStmt), v)
			break
		}
		return same
	})
	return same && source.File(c) != nil && source.File(c).Means(value, body.List[0].Pos())
}

// before reports whether what comes before the body of a branch assigns a variable.
func before(info *types.Info, branch *ast.IfStmt, v *types.Var) bool {
	return branch.Init != nil && rewrite.Writes(info, branch.Init, v) || rewrite.Writes(info, branch.Cond, v)
}

// sink moves the statement at c to the beginning of the body of a branch.
func sink(source *rewrite.Source, c, branch inspector.Cursor) []analysis.SuggestedFix {
	f := source.File(c)
	above, _, alone := f.Above(c.Node().Pos())
	first := branch.Node().(*ast.IfStmt).Body.List[0]
	to, indent, firstAlone := f.Above(first.Pos())
	end, last := f.Rest(c.Node())
	if above != f.Line(c.Node().Pos()) || !alone || !firstAlone || !last {
		return nil // a comment above belongs to the statement
	}
	return []analysis.SuggestedFix{{Message: "Make it where it is needed", TextEdits: []analysis.TextEdit{
		{Pos: above, End: end + 1},
		rewrite.Insert(to, indent+f.Between(c.Node().Pos(), end)+"\n"),
	}}}
}
