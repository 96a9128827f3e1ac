// Package constantmap finds maps of constants that each call of a function builds again.
package constantmap

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report maps of constants that a function builds and only reads

A map literal in a function is built entry by entry in each call: hashes are computed,
and a map of more than eight entries is allocated. A variable of the package is built
once:

	func isVowel(r rune) bool {
		vowels := map[rune]bool{'a': true, 'e': true, 'i': true, 'o': true, 'u': true}
		return vowels[r]
	}

becomes

	var isVowelMap = map[rune]bool{'a': true, 'e': true, 'i': true, 'o': true, 'u': true}

	func isVowel(r rune) bool {
		vowels := isVowelMap
		return vowels[r]
	}

The check is silent where the code runs once, as the check recompile is, and in tests. The
preconditions of the fix:

  - keys and values are constants, or structs and arrays of constants, and their types
    mean the same outside of the function;
  - the function only looks up keys, ranges over the map or asks for its length, so no
    call sees what another one writes;
  - the function does not run before the variables of the package are initialized.`

// Analyzer finds maps of constants in functions.
var Analyzer = &analysis.Analyzer{
	Name:     "constantmap",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

// least is the number of entries from which on a report is worth reading.
const least = 2

func run(pass *analysis.Pass) (any, error) {
	hoister := rewrite.NewHoister(pass)
	for c, lit := range rewrite.Nodes[*ast.CompositeLit](pass) {
		if _, is := pass.TypesInfo.TypeOf(lit).Underlying().(*types.Map); !is || len(lit.Elts) < least {
			continue
		}
		if !constant(pass.TypesInfo, lit) || rewrite.Once(pass, c) || !onlyRead(rewrite.Of(pass), c) {
			continue
		}
		d := analysis.Diagnostic{
			Pos: lit.Pos(), End: lit.Type.End(),
			Message: "each call builds the same map: build it once, in a variable of the package",
		}
		if place, ok := hoister.Above(c); ok && lit.Type != nil && place.Means(lit) {
			file := rewrite.Of(pass).File(c)
			name, declared := place.Declare("Map", file.Text(lit), lit)
			// The comments among the entries move with them.
			edits := []analysis.TextEdit{declared, rewrite.Replace(lit, name)}
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: "Build the map once", TextEdits: edits}}
		}
		pass.Report(d)
	}
	return nil, nil
}

// constant reports whether an expression is a constant, or a literal of constants without
// references.
func constant(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, elt := range lit.Elts {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			if _, field := info.TypeOf(lit).Underlying().(*types.Struct); !field && !constant(info, pair.Key) {
				return false
			}
			elt = pair.Value
		}
		if inner, ok := elt.(*ast.CompositeLit); ok {
			switch info.TypeOf(inner).Underlying().(type) {
			case *types.Struct, *types.Array:
			default:
				return false
			}
		}
		if !constant(info, elt) {
			return false
		}
	}
	return true
}

// onlyRead reports whether the function only reads the map at c, there or by the variable
// that it initializes.
func onlyRead(source *rewrite.Source, c inspector.Cursor) bool {
	if reads(source.Info, c) {
		return true
	}
	v := initialized(source.Info, c)
	fn := rewrite.Function(c)
	if !source.Local(fn, v) {
		return false
	}
	for _, id := range source.Mentions(fn, v) {
		if source.Info.Defs[id.Node().(*ast.Ident)] != v && !reads(source.Info, id) {
			return false
		}
	}
	return true
}

// initialized returns the variable whose only first value is the expression at c, nil
// if there is none.
func initialized(info *types.Info, c inspector.Cursor) *types.Var {
	switch p := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		if p.Tok == token.DEFINE && len(p.Lhs) == 1 {
			return rewrite.Variable(info, p.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(p.Names) == 1 {
			return rewrite.Variable(info, p.Names[0])
		}
	}
	return nil
}

// reads reports whether the map at c is only read: an entry, all of them, or their
// number.
func reads(info *types.Info, c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.RangeStmt_X:
		return true
	case edge.CallExpr_Args:
		return rewrite.IsBuiltin(info, c.Parent().Node().(*ast.CallExpr), "len")
	case edge.IndexExpr_X:
		entry := c.Parent()
		for entry.ParentEdgeKind() == edge.ParenExpr_X {
			entry = entry.Parent()
		}
		switch entry.ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return false
		}
		return true // entries have no address, so nothing else writes to one
	}
	return false
}
