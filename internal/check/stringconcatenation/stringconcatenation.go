// Package stringconcatenation finds strings that a loop, or several statements, build by
// concatenation.
package stringconcatenation

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/modernize"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report string concatenation in a loop or statement by statement

Each s += x allocates a new string and copies all of the old one, so a loop of n
iterations copies in the order of n² bytes. A strings.Builder copies each byte a
constant number of times:

	for _, name := range names {
		s += name + ", "
	}

The check reports s += x and s = s + x where s is a local variable from before the
loop. It is silent where the loop assigns s in another way, since the string may
start again; where break or return follows, since the statement runs once; and in
loops of at most 8 iterations by a constant.

The fix, which is modernize's, needs s to be of type string, to grow by += alone, and to
be read only behind that.

Of several statements in a row, each allocates and copies, too; one expression does it once:

	s := dir + "/"
	s += name
	s += ".go"

The fix joins them where no call can change an operand before it.`

// Analyzer finds string concatenation in loops and in rows of statements.
var Analyzer = &analysis.Analyzer{
	Name:     "stringconcatenation",
	Doc:      doc,
	Requires: rewrite.Requires(modernize.StringsBuilderAnalyzer),
	Run:      run,
}

// few is the most concatenations for which a strings.Builder gains little: it grows
// about as often.
const few = 8

func run(pass *analysis.Pass) (any, error) {
	built, err := rewrite.Borrow(pass, modernize.StringsBuilderAnalyzer)
	if err != nil {
		return nil, err
	}
	info, source := pass.TypesInfo, rewrite.Of(pass)
	type growth struct { // of a variable in a loop, reported once
		v    *types.Var
		loop ast.Node
	}
	grows := map[growth]*analysis.Diagnostic{}
	var found []*analysis.Diagnostic
	looped := map[*types.Var]bool{} // the variables of these
	var rows []row
	for c, assign := range rewrite.Nodes[*ast.AssignStmt](pass) {
		if r, ok := rowAt(info, c); ok {
			rows = append(rows, r)
		}
		v := grown(info, assign)
		if v == nil || ends(c) {
			continue
		}
		fn := rewrite.Function(c)
		if !source.Local(fn, v) {
			continue
		}
		loop, ok := around(source, c, fn, v)
		if !ok || assignedAnew(info, loop, v) {
			continue
		}
		looped[v] = true
		if d := grows[growth{v, loop.Node()}]; d != nil {
			d.Related = append(d.Related,
				analysis.RelatedInformation{Pos: assign.Pos(), End: assign.End(), Message: "and grows here"})
			continue
		}
		d := &analysis.Diagnostic{
			Pos: assign.Pos(), End: assign.End(),
			Message: "each iteration copies the string " + v.Name() + ": use a strings.Builder",
		}
		for _, b := range built {
			if b.Pos == assign.Pos() {
				d.SuggestedFixes = b.SuggestedFixes
			}
		}
		grows[growth{v, loop.Node()}], found = d, append(found, d)
	}
	for _, d := range found {
		pass.Report(*d)
	}
	for _, r := range rows {
		if !looped[r.v] { // a strings.Builder is better for both
			pass.Report(r.report(source))
		}
	}
	return nil, nil
}

// grown returns the string that a statement appends to, or nil.
func grown(info *types.Info, assign *ast.AssignStmt) *types.Var {
	if len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	v := rewrite.Variable(info, assign.Lhs[0])
	if v == nil {
		return nil
	}
	if basic, ok := v.Type().Underlying().(*types.Basic); !ok || basic.Info()&types.IsString == 0 {
		return nil
	}
	switch assign.Tok {
	case token.ADD_ASSIGN:
		return v
	case token.ASSIGN:
		left := ast.Unparen(assign.Rhs[0])
		for {
			sum, ok := left.(*ast.BinaryExpr)
			if !ok {
				break
			}
			left = ast.Unparen(sum.X)
		}
		if left != ast.Unparen(assign.Rhs[0]) && rewrite.Variable(info, left) == v {
			return v
		}
	}
	return nil
}

// ends reports whether a statement after c, in the same list, leaves the loop.
func ends(c inspector.Cursor) bool {
	for next, ok := c.NextSibling(); ok; next, ok = next.NextSibling() {
		switch s := next.Node().(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return s.Tok == token.BREAK || s.Tok == token.GOTO || s.Label != nil
		}
	}
	return false
}

// around returns the outermost loop around c that v was declared before, if one
// of the loops that v outlives has no small constant count.
func around(source *rewrite.Source, c, fn inspector.Cursor, v *types.Var) (outermost inspector.Cursor, ok bool) {
	for loop := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		n := loop.Node()
		if n == fn.Node() || n.Pos() <= v.Pos() && v.Pos() < n.End() {
			break
		}
		count, known := source.CountOf(loop)
		if !known || count.Max < 0 || count.Max > few {
			outermost, ok = loop, true
		}
	}
	return outermost, ok
}

// assignedAnew reports whether a loop assigns v otherwise than by appending.
func assignedAnew(info *types.Info, loop inspector.Cursor, v *types.Var) bool {
	for c := range loop.Preorder((*ast.AssignStmt)(nil), (*ast.RangeStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if rewrite.Variable(info, left) == v && grown(info, n) != v {
					return true
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil && rewrite.Variable(info, n.Key) == v || n.Value != nil && rewrite.Variable(info, n.Value) == v {
				return true
			}
		}
	}
	return false
}
