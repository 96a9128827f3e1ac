// Package appendwithoutroom finds slices that grow by append to a length that is known
// before the loop.
package appendwithoutroom

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report appends in a loop that end at a length known before the loop

Each time that append exceeds the capacity it allocates a larger array and copies
the elements. If every iteration of a loop appends the same number of elements,
one allocation of the final length does:

	var names []string
	for _, u := range users {
		names = append(names, u.Name)
	}

The loop ranges over a slice, an array, a map, an integer or the parts of
strings.SplitSeq, or counts i from 0 below a bound that the body does not change. A
loop with break, return, goto or a branch to a label is never reported.

In a profile in which the line costs something, the check also reports loops of which
some iterations append, or each another slice, loops that fill a strings.Builder or
bytes.Buffer with texts, and statements that fill one of these or a slice one after the
other. For a loop, another one before it counts:

	n := 0
	for _, u := range users {
		if u.Admin {
			n++
		}
	}
	names = slices.Grow(names, n)

A strings.Builder hands out its memory with String, so that it grows from nothing again
after each Reset. A bytes.Buffer copies the text and keeps the memory. In such a profile,
the check reports builders that a loop resets:

	var b strings.Builder              →  var b bytes.Buffer
	for _, c := range line {
		if c == ',' {
			fields = append(fields, b.String())
			b.Reset()
			continue
		}
		b.WriteRune(c)
	}

The fix keeps the difference between a nil and an empty slice, which JSON shows:
a slice that starts as nil grows by slices.Grow, which returns nil for a nil slice
and no elements; one that starts empty gets its capacity from make. Its
preconditions:

  - the slice, or a new struct that has it in a field, is declared in the statements
    before the loop, or the slice is a result with a name in a function without defer.
    Nothing mentions it between its declaration and the append;
  - the expression of the length only reads, so that it can be evaluated once
    more directly before the loop, or the loop ranges over a call, whose result then
    gets a variable;
  - a loop that counts evaluates only conditions and lengths that read, of at most 24
    operands in all. The other loop does not change them: they consist of variables
    alone, or it changes only local variables. That holds if they may panic, too;
  - only its function uses a builder, and asks a bytes.Buffer only for its String or Len;
  - a builder that is reset becomes a buffer if it is only written to, reset, and read with
    String and Len. Of functions only fmt.Fprint and its like get its address, nothing asks
    for its capacity, and Grow gets a constant or a len, which is not negative;
  - slices, len, make and max mean the package and the predeclared functions, and
    the language version has them.`

// Analyzer finds appends to a provable length.
var Analyzer = &analysis.Analyzer{
	Name:     "appendwithoutroom",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// search looks for what grows in the loops of a package.
type search struct {
	pass   *analysis.Pass
	source *rewrite.Source
	names  rewrite.Names
}

func run(pass *analysis.Pass) (any, error) {
	s := &search{pass: pass, source: rewrite.Of(pass)}
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		count, ok := s.source.CountOf(c)
		if !ok {
			continue
		}
		for _, start := range s.source.Starts(c) {
			for _, p := range places(pass.TypesInfo, c, start) {
				if !s.filled(c, start, p, count) {
					s.filtered(c, p)
				}
			}
			s.columns(c, start, count)
		}
		s.built(c, count)
	}
	for c := range root.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil)) {
		s.resets(c)
	}
	s.straights(root)
	return nil, nil
}

// filled reports a slice to which each iteration appends as many elements, if the slice is
// one.
func (s *search) filled(c inspector.Cursor, start rewrite.Start, p place, count rewrite.Count) bool {
	body := bodyOf(c.Node())
	if rewrite.Leaves(body) {
		return false
	}
	a := appends{place: p}
	per, ok := a.list(body.List)
	// Each append mentions the slice twice. Any other mention could see the array or its
	// capacity.
	if n, known := p.mentions(s.source, c); !ok || per == 0 || !known || n != 2*len(a.calls) {
		return false
	}
	if count.Max >= 0 && count.Max*int64(per) <= 1 {
		return true
	}
	s.pass.Report(analysis.Diagnostic{
		Pos:            a.calls[0].Pos(),
		End:            a.calls[0].End(),
		Message:        fmt.Sprintf("append grows %s to a length that is known before the loop", p),
		SuggestedFixes: s.fix(c, start, p, count, per),
	})
	return true
}

// report reports the first of the nodes that grow a value. The cost of the others counts, too.
func report[N ast.Node](pass *analysis.Pass, nodes []N, message string, fix []analysis.SuggestedFix) {
	d := analysis.Diagnostic{
		Pos: nodes[0].Pos(), End: nodes[0].End(), Category: rewrite.Sometimes,
		Message: message, SuggestedFixes: fix,
	}
	for _, n := range nodes[1:] {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: n.Pos(), End: n.End()})
	}
	pass.Report(d)
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	if loop, ok := n.(*ast.RangeStmt); ok {
		return loop.Body
	}
	return n.(*ast.ForStmt).Body
}

// empty reports whether a slice begins without elements and without capacity.
func empty(info *types.Info, value ast.Expr) bool {
	switch v := value.(type) {
	case nil:
		return true
	case *ast.CompositeLit:
		return len(v.Elts) == 0
	case *ast.CallExpr:
		if rewrite.IsBuiltin(info, v, "make") && len(v.Args) == 2 {
			size := info.Types[v.Args[1]].Value
			return size != nil && size.ExactString() == "0"
		}
		conversion := info.Types[v.Fun].IsType() && len(v.Args) == 1
		return conversion && info.Types[v.Args[0]].IsNil() // []T(nil)
	}
	return false
}

func (s *search) fix(
	loop inspector.Cursor, start rewrite.Start, p place, count rewrite.Count, per int,
) []analysis.SuggestedFix {
	f := s.source.File(loop)
	if f == nil {
		return nil
	}
	const message = "Allocate the final length once"
	if start.Adjacent && p.field == nil {
		if edits, ok := s.capacity(f, loop, start.Value, count, per); ok {
			return f.Fix(message, edits...)
		} else if _, literal := start.Value.(*ast.CompositeLit); literal {
			return nil
		}
	}
	pos := rewrite.WithLabel(loop).Node().Pos()
	slices, edits, ok := f.Import("slices", pos)
	above, indent, alone := f.Above(pos)
	if !ok || !alone || !f.AtLeast("go1.21") || f.Free(start.Var.Name(), pos) {
		return nil
	}
	n, ok := s.length(f, loop, count, per, pos)
	if !ok {
		return nil
	}
	grow := fmt.Sprintf("%s%s = %sGrow(%s, %s)\n", indent, p, slices, p, n.text)
	return f.Fix(message, append(edits, n.evaluate(above, indent, grow)...)...)
}

// capacity returns the edits that give the expression directly before the loop that makes a
// slice the final length as its capacity. It reports false if there are none.
func (s *search) capacity(
	f *rewrite.File, loop inspector.Cursor, value ast.Expr, count rewrite.Count, per int,
) (edits []analysis.TextEdit, ok bool) {
	literal, isLiteral := value.(*ast.CompositeLit)
	call, isCall := value.(*ast.CallExpr)
	if !isLiteral && !(isCall && len(call.Args) == 2) || isLiteral && !f.Universe("make", value.Pos()) ||
		!f.Means(count.Over, value.Pos()) {
		return nil, false
	}
	declaration, _ := rewrite.WithLabel(loop).PrevSibling()
	pos := declaration.Node().Pos()
	above, indent, alone := f.Above(pos)
	n, ok := s.length(f, loop, count, per, pos)
	if !ok || n.variable != "" && !alone {
		return nil, false
	}
	if isLiteral {
		edits = append(edits, rewrite.Replace(value, fmt.Sprintf("make(%s, 0, %s)", f.Text(literal.Type), n.text)))
	} else {
		edits = append(edits, rewrite.Insert(call.Args[1].End(), ", "+n.text))
	}
	return append(edits, n.evaluate(above, indent, "")...), true
}

// length is the length that a slice has after a loop.
type length struct {
	text string
	// variable is the statement that declares a variable for the value that the loop ranges
	// over, and loop the loop's edit; "" where the expression can be evaluated once more.
	variable string
	loop     analysis.TextEdit
}

// length returns the length after a loop as text for the place before the statement at pos.
func (s *search) length(
	f *rewrite.File, loop inspector.Cursor, count rewrite.Count, per int, pos token.Pos,
) (n length, ok bool) {
	if rewrite.Pure(s.pass.TypesInfo, count.Over) {
		n.text, ok = f.Length(count, pos)
	} else {
		var name string
		name, n.variable, n.loop, ok = s.names.Evaluate(f, loop, count, pos)
		n.text = "len(" + name + ")"
	}
	if per > 1 {
		n.text = times(strconv.Itoa(per), n.text)
	}
	return n, ok
}

// evaluate returns the edits that insert a text and, before it, the variable.
func (n length) evaluate(above token.Pos, indent, text string) []analysis.TextEdit {
	if n.variable != "" {
		return []analysis.TextEdit{rewrite.Insert(above, indent+n.variable+"\n"+text), n.loop}
	}
	if text == "" {
		return nil
	}
	return []analysis.TextEdit{rewrite.Insert(above, text)}
}

// times returns the product of two terms, of which the second may be a sum.
func times(x, y string) string {
	if strings.Contains(y, "+") {
		y = "(" + y + ")"
	}
	return x + "*" + y
}
