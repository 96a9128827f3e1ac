// Package mapwithoutsize finds maps that a loop fills to a size that is known before it.
package mapwithoutsize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report maps filled in a loop to a size known before the loop

A map that grows allocates larger tables and rehashes its entries. If every iteration
of a loop sets an entry of its own, make can allocate all at once:

	byID := make(map[int]string)     →  byID := make(map[int]string, len(names))
	for id, name := range names {
		byID[id] = name
	}

The size is provable only where no two iterations set the same key: the key is the
loop's own (the key of a map, the index of a slice or array, the counter). With
another key, the number of iterations is only the most that the map can hold. Such
a loop is reported where a profile shows that its map costs something. A loop with
continue, break, return, goto or a branch to a label is never reported, nor one of
at most 8 iterations, which fit in a map's first group.

The preconditions of the fix:

  - the map is made in the statement directly before the loop, or the length is that of
    a local variable, not of a map, which the statements between do not assign;
  - the expression of the length only reads, so that it can be evaluated once
    more, or the loop directly behind ranges over a call, whose result then gets a
    variable; its names mean the same there;
  - make, len and max mean the predeclared functions.`

// Analyzer finds maps filled to a provable size.
var Analyzer = &analysis.Analyzer{
	Name:     "mapwithoutsize",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// groupSlots is the number of entries that a map of the runtime holds without
// growing: abi.MapGroupSlots.
const groupSlots = 8

// search looks for the maps of a package.
type search struct {
	pass   *analysis.Pass
	source *rewrite.Source
	names  rewrite.Names
}

func run(pass *analysis.Pass) (any, error) {
	info, source := pass.TypesInfo, rewrite.Of(pass)
	s := &search{pass: pass, source: source}
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		body, key := parts(info, c.Node())
		if rewrite.Leaves(body) {
			continue
		}
		count, ok := source.CountOf(c)
		if !ok || count.Max >= 0 && count.Max <= groupSlots {
			continue
		}
		for _, start := range source.Starts(c) {
			if !unsized(info, start.Value) {
				continue
			}
			set, by := sets(info, body, start.Var)
			if set == nil || len(source.Mentions(c, start.Var)) != 1 {
				continue
			}
			name := start.Var.Name()
			report := analysis.Diagnostic{Pos: set.Pos(), End: set.End(), SuggestedFixes: s.fix(c, start, count)}
			if key != nil && by == key && constantKey(source, c, key) {
				report.Message = fmt.Sprintf("the loop grows the map %s to a size that is known before it", name)
			} else {
				report.Category = rewrite.Sometimes
				report.Message = fmt.Sprintf("the loop grows the map %s to at most a size that is known before it", name)
			}
			pass.Report(report)
		}
	}
	return nil, nil
}

// parts returns a loop's body, and the variable that differs in every iteration.
func parts(info *types.Info, n ast.Node) (*ast.BlockStmt, *types.Var) {
	switch loop := n.(type) {
	case *ast.RangeStmt:
		_, iterator := info.TypeOf(loop.X).Underlying().(*types.Signature)
		if loop.Key != nil && loop.Tok == token.DEFINE && !iterator {
			return loop.Body, rewrite.Variable(info, loop.Key)
		}
		return loop.Body, nil
	case *ast.ForStmt:
		if init, ok := loop.Init.(*ast.AssignStmt); ok {
			return loop.Body, rewrite.Variable(info, init.Lhs[0])
		}
		return loop.Body, nil
	}
	return nil, nil
}

// constantKey reports whether the body leaves the key as the loop set it. That a
// map ranges over NaN more than once does not matter: no two NaN are equal.
func constantKey(source *rewrite.Source, loop inspector.Cursor, key *types.Var) bool {
	if !source.Local(rewrite.Function(loop), key) {
		return false
	}
	body, _ := parts(source.Info, loop.Node())
	return !rewrite.Writes(source.Info, body, key)
}

// unsized reports whether a map is made empty, without a size.
func unsized(info *types.Info, value ast.Expr) bool {
	if value == nil {
		return false // an assignment to an entry of a nil map panics
	}
	if _, ok := info.TypeOf(value).Underlying().(*types.Map); !ok {
		return false
	}
	switch v := value.(type) {
	case *ast.CompositeLit:
		return len(v.Elts) == 0
	case *ast.CallExpr:
		return rewrite.IsBuiltin(info, v, "make") && len(v.Args) == 1
	}
	return false
}

// sets returns the statement of the body itself, not of a branch, that sets an entry
// of m, and the variable that is the entry's key, nil if it is another expression.
func sets(info *types.Info, body *ast.BlockStmt, m *types.Var) (*ast.AssignStmt, *types.Var) {
	for _, s := range body.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN {
			continue
		}
		for _, left := range assign.Lhs {
			if index, ok := left.(*ast.IndexExpr); ok && rewrite.Variable(info, index.X) == m {
				return assign, rewrite.Variable(info, index.Index)
			}
		}
	}
	return nil, nil
}

func (s *search) fix(loop inspector.Cursor, start rewrite.Start, count rewrite.Count) []analysis.SuggestedFix {
	f := s.source.File(loop)
	pos := start.Value.Pos()
	if f == nil || !f.Means(count.Over, pos) || !f.Universe("make", pos) {
		return nil
	}
	n, edits, ok := s.length(f, loop, start, count)
	if !ok {
		return nil
	}
	if lit, ok := start.Value.(*ast.CompositeLit); ok {
		edits = append(edits, rewrite.Replace(lit, "make("+f.Text(lit.Type)+", "+n+")"))
	} else {
		call := start.Value.(*ast.CallExpr)
		edits = append(edits, rewrite.Insert(call.Args[0].End(), ", "+n))
	}
	return f.Fix("Make the map with its final size", edits...)
}

// length returns the number of a loop's iterations as text for the expression that makes
// the map, and the edits that give the result of a call a variable before it.
func (s *search) length(
	f *rewrite.File, loop inspector.Cursor, start rewrite.Start, count rewrite.Count,
) (n string, edits []analysis.TextEdit, ok bool) {
	if rewrite.Pure(s.pass.TypesInfo, count.Over) {
		if !start.Adjacent && !constantSince(s.pass, loop, start, count.Over) {
			return "", nil, false
		}
		n, ok = f.Length(count, start.Value.Pos())
		return n, nil, ok
	}
	declaration, ok := rewrite.WithLabel(loop).PrevSibling()
	if !ok || !start.Adjacent {
		return "", nil, false
	}
	pos := declaration.Node().Pos()
	above, indent, alone := f.Above(pos)
	if !alone {
		return "", nil, false
	}
	name, statement, edit, ok := s.names.Evaluate(f, loop, count, pos)
	return "len(" + name + ")", []analysis.TextEdit{rewrite.Insert(above, indent+statement+"\n"), edit}, ok
}

// constantSince reports whether the statements between a map's and the loop leave a length
// as it is: of a variable of the function that they do not assign. The entries of another
// map may change.
func constantSince(pass *analysis.Pass, loop inspector.Cursor, start rewrite.Start, over ast.Expr) bool {
	v := rewrite.Variable(pass.TypesInfo, over)
	if v == nil || !rewrite.Of(pass).Local(rewrite.Function(loop), v) {
		return pass.TypesInfo.Types[over].Value != nil
	}
	if _, isMap := v.Type().Underlying().(*types.Map); isMap {
		return false
	}
	at := rewrite.WithLabel(loop)
	for prev, ok := at.PrevSibling(); ok && prev.Node().Pos() > start.Value.Pos(); prev, ok = prev.PrevSibling() {
		if rewrite.Writes(pass.TypesInfo, prev.Node(), v) {
			return false
		}
	}
	return true
}
