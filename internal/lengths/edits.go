package lengths

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// The messages of the reports, before the number of the site. Each has one fix.
const (
	counts = "count "
	sizes  = "size "
)

const (
	// number stands in the edits of a size for the length that is not measured yet, and share
	// for the part of all that it suffices for.
	number = "HEAPWRIGHT_LENGTH"
	share  = "HEAPWRIGHT_SHARE"
	// note is the comment that says where the number comes from.
	note = " // " + share + " need no more"
)

// count returns the edits with which the lengths of a grower are counted.
func (g *grower) count(site int) (edits []analysis.TextEdit) {
	for _, fill := range g.fills {
		n := fill.Node()
		switch g.kind {
		case list, mapping: // v = append(v, …), v[key] = …
			before := fmt.Sprintf("heapwrightBefore%d", n.Pos())
			after := fmt.Sprintf("; heapwrightGrown(%d, %s, len(%s))", site, before, g.name)
			before += " := len(" + g.name + "); "
			if g.v.IsField() {
				after += fmt.Sprintf("; if heapwrightBefore%d == 0 { heapwrightBegan(%d) }", n.Pos(), site)
			}
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
	if !g.v.IsField() && (g.kind == list || g.kind == mapping) {
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
		if g.among() {
			return nil
		}
		_, indent, alone := g.file.Above(pos)
		end, last := g.file.Rest(g.at.Node())
		if !alone || !last {
			return nil
		}
		return []analysis.TextEdit{rewrite.Insert(end, "\n"+indent+g.name+".Grow("+number+")"+note)}
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
		return g.noted(rewrite.Replace(v, "make("+g.file.Text(v.Type)+", "+zero+number+")"))
	case *ast.CallExpr:
		return g.noted(rewrite.Insert(v.Args[len(v.Args)-1].End(), ", "+number))
	case nil:
		if g.late {
			return g.sizeLate()
		}
		made := fmt.Sprintf("= make(%s, 0, %s)", g.typ, number)
		if g.among() {
			return []analysis.TextEdit{rewrite.Replace(g.spec.Type, made)}
		}
		return g.noted(rewrite.Replace(g.at.Node(), g.name+" :"+made))
	}
	return nil
}

// noted adds the comment to an edit of the statement that declares the grower, if nothing else
// stands behind it.
func (g *grower) noted(e analysis.TextEdit) []analysis.TextEdit {
	end, last := g.file.Rest(g.at.Node())
	switch {
	case !last || end != g.at.Node().End():
		return []analysis.TextEdit{e}
	case e.End == end:
		e.NewText = append(e.NewText, note...)
		return []analysis.TextEdit{e}
	}
	return []analysis.TextEdit{e, rewrite.Insert(end, note)}
}

// sizeLate returns the edit that makes a slice with room where its first element is appended.
func (g *grower) sizeLate() []analysis.TextEdit {
	fill := g.fills[0].Node()
	_, indent, alone := g.file.Above(fill.Pos())
	if !alone || !g.file.Universe("nil", fill.Pos()) || !g.file.Universe("make", fill.Pos()) {
		return nil
	}
	lines := []string{
		"if " + g.name + " == nil {", "\t" + g.name + " = make(" + g.typ + ", 0, " + number + ")" + note, "}", "",
	}
	room := strings.Join(lines, "\n"+indent)
	return []analysis.TextEdit{rewrite.Insert(fill.Pos(), room)}
}

// report is a report with one fix.
func report(pass *analysis.Pass, at token.Pos, message string, edits []analysis.TextEdit) {
	fix := analysis.SuggestedFix{Message: message, TextEdits: edits}
	pass.Report(analysis.Diagnostic{Pos: at, Message: message, SuggestedFixes: []analysis.SuggestedFix{fix}})
}
