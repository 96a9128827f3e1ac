package lengths

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// The messages of the reports, before the number of the site. Each has one fix.
const (
	counts = "count "
	sizes  = "size "
)

// number stands in the edits of a size for the length that is not measured yet.
const number = "HEAPWRIGHT_LENGTH"

// count returns the edits with which the lengths of a grower are counted.
func (g *grower) count(site int) (edits []analysis.TextEdit) {
	for _, fill := range g.fills {
		n := fill.Node()
		switch g.kind {
		case list, mapping: // v = append(v, …), v[key] = …
			before := fmt.Sprintf("heapwrightBefore%d", n.Pos())
			after := fmt.Sprintf("; heapwrightGrown(%d, %s, len(%s))", site, before, g.v.Name())
			before += " := len(" + g.v.Name() + "); "
			edits = append(edits, rewrite.Insert(n.Pos(), before), rewrite.Insert(n.End(), after))
		default: // v.String(), v.Bytes()
			of := "Text"
			if n.(*ast.CallExpr).Fun.(*ast.SelectorExpr).Sel.Name == "Bytes" {
				of = "Bytes"
			}
			open := fmt.Sprintf("heapwright%s(%d, ", of, site)
			edits = append(edits, rewrite.Insert(n.Pos(), open), rewrite.Insert(n.End(), ")"))
		}
	}
	if g.kind == list || g.kind == mapping {
		edits = append(edits, rewrite.Insert(g.at.Node().End(), fmt.Sprintf("; heapwrightBegan(%d)", site)))
	}
	return edits
}

// size returns the edits that make the grower with room, or none where the new text would mean
// something else.
func (g *grower) size() []analysis.TextEdit {
	pos := g.at.Node().Pos()
	switch g.kind {
	case builder, buffer:
		_, indent, alone := g.file.Above(pos)
		end, last := g.file.Rest(g.at.Node())
		if !alone || !last {
			return nil
		}
		return []analysis.TextEdit{rewrite.Insert(end, "\n"+indent+g.v.Name()+".Grow("+number+")")}
	}
	if !g.file.Universe("make", pos) {
		return nil
	}
	zero := ""
	if g.kind == list {
		zero = "0, "
	}
	switch v := g.value.(type) {
	case *ast.CompositeLit:
		return []analysis.TextEdit{rewrite.Replace(v, "make("+g.file.Text(v.Type)+", "+zero+number+")")}
	case *ast.CallExpr:
		return []analysis.TextEdit{rewrite.Insert(v.Args[len(v.Args)-1].End(), ", "+number)}
	case nil:
		spec := g.at.Node().(*ast.DeclStmt).Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		made := fmt.Sprintf("%s := make(%s, 0, %s)", g.v.Name(), g.file.Text(spec.Type), number)
		return []analysis.TextEdit{rewrite.Replace(g.at.Node(), made)}
	}
	return nil
}

// report is a report with one fix.
func report(pass *analysis.Pass, at token.Pos, message string, edits []analysis.TextEdit) {
	fix := analysis.SuggestedFix{Message: message, TextEdits: edits}
	pass.Report(analysis.Diagnostic{Pos: at, Message: message, SuggestedFixes: []analysis.SuggestedFix{fix}})
}
