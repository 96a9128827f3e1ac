// Package stringconcat finds strings that a loop builds by concatenation.
package stringconcat

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report string concatenation in a loop

Each s += x allocates a new string and copies all of the old one, so a loop of n
iterations copies in the order of n² bytes. A strings.Builder copies each byte a
constant number of times:

	for _, name := range names {
		s += name + ", "
	}

The check reports s += x and s = s + x where s is a local variable from before the
loop. It is silent where the loop assigns s in another way, since the string may
start again; where it reads s otherwise than by len(s) and s == "", since each
iteration then needs the string; where break or return follows, since the statement runs once; and in
loops of at most 8 iterations by a constant.

There is no fix: the reads of s between, the early returns and the type of s
all decide what the rewritten code has to be.`

// Analyzer finds string concatenation in loops.
var Analyzer = &analysis.Analyzer{
	Name:     "stringconcat",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

// few is the most concatenations for which a strings.Builder gains little: it grows
// about as often.
const few = 8

func run(pass *analysis.Pass) (any, error) {
	info := pass.TypesInfo
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	type growth struct { // of a variable in a loop, reported once
		v    *types.Var
		loop ast.Node
	}
	reported := map[growth]bool{}
	for c := range root.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		v := grown(info, assign)
		if v == nil || ends(c) {
			continue
		}
		fn := rewrite.Function(c)
		if !rewrite.Local(info, fn, v) {
			continue
		}
		loop, ok := around(info, c, fn, v)
		if ok && !reported[growth{v, loop.Node()}] && !assignedAnew(info, loop, v) && !read(info, loop, v) {
			reported[growth{v, loop.Node()}] = true
			pass.ReportRangef(assign, "each iteration copies the string %s: use a strings.Builder", v.Name())
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
func around(info *types.Info, c, fn inspector.Cursor, v *types.Var) (outermost inspector.Cursor, ok bool) {
	for loop := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		n := loop.Node()
		if n == fn.Node() || n.Pos() <= v.Pos() && v.Pos() < n.End() {
			break
		}
		count, known := rewrite.CountOf(info, loop)
		if !known || count.Max < 0 || count.Max > few {
			outermost, ok = loop, true
		}
	}
	return outermost, ok
}

// read reports whether iterations after which the loop continues need the text of v.
func read(info *types.Info, loop inspector.Cursor, v *types.Var) bool {
	for c := range loop.Preorder((*ast.Ident)(nil)) {
		if info.Uses[c.Node().(*ast.Ident)] == v && !appends(info, c, v) && !measures(c) && !leaves(c, loop) {
			return true
		}
	}
	return false
}

// appends reports whether c is v in v += x, or one of both in v = v + x.
func appends(info *types.Info, c inspector.Cursor, v *types.Var) bool {
	for outer := range c.Enclosing((*ast.AssignStmt)(nil)) {
		assign := outer.Node().(*ast.AssignStmt)
		if grown(info, assign) != v {
			return false
		}
		left := ast.Unparen(assign.Rhs[0])
		for assign.Tok == token.ASSIGN {
			sum, ok := left.(*ast.BinaryExpr)
			if !ok {
				break
			}
			left = ast.Unparen(sum.X)
		}
		return c.Node() == ast.Unparen(assign.Lhs[0]) || assign.Tok == token.ASSIGN && c.Node() == left
	}
	return false
}

// measures reports whether c is the operand of len(c), c == "" or the like, which a
// strings.Builder answers, too.
func measures(c inspector.Cursor) bool {
	switch outer := c.Parent().Node().(type) {
	case *ast.CallExpr:
		fun, ok := outer.Fun.(*ast.Ident)
		return ok && fun.Name == "len"
	case *ast.BinaryExpr:
		empty := func(e ast.Expr) bool { lit, ok := e.(*ast.BasicLit); return ok && len(lit.Value) == len(`""`) }
		return (outer.Op == token.EQL || outer.Op == token.NEQ || outer.Op == token.GTR) && (empty(outer.X) || empty(outer.Y))
	}
	return false
}

// leaves reports whether the loop ends with the statement around c, or after it.
func leaves(c, loop inspector.Cursor) bool {
	for p := c; p != loop; p = p.Parent() {
		switch p.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			return true
		}
		if ends(p) {
			return true
		}
	}
	return false
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
