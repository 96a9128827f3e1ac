// Package appendwithoutroom finds slices that grow by append to a length that is known
// before the loop.
package appendwithoutroom

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"

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

The loop ranges over a slice, an array, a map or an integer, or counts i from 0
below a bound that the body does not change. A loop with continue, break, return,
goto or a branch to a label is never reported, nor one in which only some paths
append: its length is not provable.

The fix keeps the difference between a nil and an empty slice, which JSON shows:
a slice that starts as nil grows by slices.Grow, which returns nil for a nil slice
and no elements; one that starts empty gets its capacity from make. Its
preconditions:

  - the slice is declared in the statements before the loop, and nothing mentions
    it between its declaration and the append;
  - the expression of the length only reads, so that it can be evaluated once
    more directly before the loop;
  - slices, len, make and max mean the package and the predeclared functions, and
    the language version has them.`

// Analyzer finds appends to a provable length.
var Analyzer = &analysis.Analyzer{
	Name:     "appendwithoutroom",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	source := rewrite.Of(pass)
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	for c := range root.Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		body := bodyOf(c.Node())
		if rewrite.Leaves(body) {
			continue
		}
		count, ok := source.CountOf(c)
		if !ok {
			continue
		}
		for _, start := range source.Starts(c) {
			if _, slice := start.Var.Type().Underlying().(*types.Slice); !slice || !empty(pass.TypesInfo, start.Value) {
				continue
			}
			a := appends{info: pass.TypesInfo, v: start.Var}
			per, ok := a.list(body.List)
			// Each append mentions the slice twice. Any other mention could see
			// the array or its capacity.
			if !ok || per == 0 || len(source.Mentions(c, start.Var)) != 2*len(a.calls) {
				continue
			}
			if count.Max >= 0 && count.Max*int64(per) <= 1 {
				continue
			}
			pass.Report(analysis.Diagnostic{
				Pos:            a.calls[0].Pos(),
				End:            a.calls[0].End(),
				Message:        fmt.Sprintf("append grows %s to a length that is known before the loop", start.Var.Name()),
				SuggestedFixes: fix(pass, c, start, count, per),
			})
		}
	}
	return nil, nil
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

func fix(pass *analysis.Pass, loop inspector.Cursor, start rewrite.Start, count rewrite.Count, per int) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(loop)
	if f == nil || !rewrite.Pure(pass.TypesInfo, count.Over) {
		return nil
	}
	at := loop
	if _, labeled := loop.Parent().Node().(*ast.LabeledStmt); labeled {
		at = loop.Parent()
	}
	pos := at.Node().Pos()
	n, ok := length(pass, f, loop, count)
	if !ok {
		return nil
	}
	if per > 1 {
		n = strconv.Itoa(per) + "*" + n
	}
	const message = "Allocate the final length once"
	if start.Adjacent {
		switch v := start.Value.(type) {
		case *ast.CompositeLit:
			if f.Universe("make", v.Pos()) && f.Means(count.Over, v.Pos()) {
				return f.Fix(message, rewrite.Replace(v, fmt.Sprintf("make(%s, 0, %s)", f.Text(v.Type), n)))
			}
			return nil
		case *ast.CallExpr:
			if len(v.Args) == 2 && f.Means(count.Over, v.Pos()) {
				return f.Fix(message, rewrite.Insert(v.Args[1].End(), ", "+n))
			}
		}
	}
	slices, edits, ok := f.Import("slices", pos)
	above, indent, alone := f.Above(pos)
	if !ok || !alone || !f.AtLeast("go1.21") || f.Free(start.Var.Name(), pos) {
		return nil
	}
	name := start.Var.Name()
	edits = append(edits, rewrite.Insert(above, fmt.Sprintf("%s%s = %sGrow(%s, %s)\n", indent, name, slices, name, n)))
	return f.Fix(message, edits...)
}

// length returns the number of iterations as an expression of type int that is
// not negative.
func length(pass *analysis.Pass, f *rewrite.File, loop inspector.Cursor, count rewrite.Count) (string, bool) {
	pos := loop.Node().Pos()
	text := f.Text(count.Over)
	if count.Len {
		return "len(" + text + ")", f.Universe("len", pos)
	}
	basic, ok := types.Unalias(pass.TypesInfo.TypeOf(count.Over)).(*types.Basic)
	ok = ok && (basic.Kind() == types.Int || basic.Kind() == types.UntypedInt)
	if count.Max >= 0 {
		if !ok {
			return strconv.FormatInt(count.Max, 10), true // of another integer type
		}
		if _, binary := count.Over.(*ast.BinaryExpr); binary {
			text = "(" + text + ")"
		}
		return text, true
	}
	ok = ok && f.AtLeast("go1.21") && f.Universe("max", pos)
	return "max(" + text + ", 0)", ok
}
