// Package encoder finds compressors and buffered readers and writers that each call of a
// function makes again.
package encoder

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report compressors and buffered readers and writers that a function makes and drops

A gzip.Writer has about 800 KB of tables, a gzip.Reader 40 KB, and a bufio.Reader or
Writer 4 KB. All of them can be Reset and used again:

	func compress(w io.Writer, data []byte) error {
		zw := gzip.NewWriter(w)
		if _, err := zw.Write(data); err != nil {
			return err
		}
		return zw.Close()
	}

becomes

	var compressWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

	func compress(w io.Writer, data []byte) error {
		zw := compressWriters.Get().(*gzip.Writer)
		defer compressWriters.Put(zw)
		zw.Reset(w)
		…

The check covers compress/gzip, compress/zlib and bufio, and github.com/klauspost's
packages of the same names. It is silent where the code runs once, and in tests. The
preconditions of the fix:

  - the function only calls methods of the value, reads and sets its fields, and hands it
    to functions that are known not to keep it;
  - the value is not made in a loop, where deferred calls would pile up;
  - what a bufio.Reader or Writer is made for is of a type that is not of bufio:
    NewReader and NewWriter return such an argument as it is.`

// Analyzer finds encoders and decoders that a pool can keep.
var Analyzer = &analysis.Analyzer{
	Name:     "encoder",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

// maker is a constructor whose value has a method Reset, which takes the same argument.
type maker struct {
	typ    string // the type's name
	suffix string // the end of the pool's name
	wraps  bool   // it returns an argument of its own type as it is
	fails  bool   // it returns an error, as Reset does
}

var makers = map[string]maker{
	"compress/gzip.NewWriter": {typ: "Writer", suffix: "Writers"},
	"compress/gzip.NewReader": {typ: "Reader", suffix: "Readers", fails: true},
	"compress/zlib.NewWriter": {typ: "Writer", suffix: "Writers"},
	"bufio.NewWriter":         {typ: "Writer", suffix: "Writers", wraps: true},
	"bufio.NewReader":         {typ: "Reader", suffix: "Readers", wraps: true},

	"github.com/klauspost/compress/gzip.NewWriter": {typ: "Writer", suffix: "Writers"},
	"github.com/klauspost/compress/gzip.NewReader": {typ: "Reader", suffix: "Readers", fails: true},
	"github.com/klauspost/compress/zlib.NewWriter": {typ: "Writer", suffix: "Writers"},
}

// borrowers only use a reader or writer until they return.
var borrowers = map[string]bool{
	"io.Copy": true, "io.CopyN": true, "io.CopyBuffer": true, "io.ReadAll": true, "io.ReadFull": true,
	"io.ReadAtLeast": true, "io.WriteString": true, "fmt.Fprint": true, "fmt.Fprintf": true, "fmt.Fprintln": true, "fmt.Fscan": true,
	"encoding/binary.Write": true, "encoding/binary.Read": true,
}

// chained make a value that only the call behind them uses, as in json.NewEncoder(w).Encode(v).
var chained = map[string]bool{
	"encoding/json.NewEncoder": true, "encoding/json.NewDecoder": true, "encoding/xml.NewEncoder": true,
	"encoding/xml.NewDecoder": true, "encoding/gob.NewEncoder": true, "encoding/gob.NewDecoder": true,
}

func run(pass *analysis.Pass) (any, error) {
	hoister := rewrite.NewHoister(pass)
	for c := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		m, ok := makers[rewrite.Callee(pass.TypesInfo, call)]
		if !ok || rewrite.Once(pass, c) || m.wraps && !foreign(pass.TypesInfo.TypeOf(call.Args[0])) {
			continue
		}
		v := made(pass.TypesInfo, c)
		if fn := rewrite.Function(c); !rewrite.Of(pass).Local(fn, v) || !dropped(rewrite.Of(pass), fn, v) {
			continue
		}
		d := analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(),
			Message: "each call makes a " + types.ExprString(call.Fun) +
				" and drops it: keep it in a sync.Pool and Reset it",
		}
		if fix, ok := pool(pass, hoister, c, m); ok {
			d.SuggestedFixes = fix
		}
		pass.Report(d)
	}
	return nil, nil
}

// foreign reports whether a type is none of bufio's, and no interface that may hold one.
func foreign(t types.Type) bool {
	return !types.IsInterface(t) && !strings.HasPrefix(t.String(), "*bufio.")
}

// made returns the variable that a statement of its own declares for the value of the
// call at c, nil if there is none.
func made(info *types.Info, c inspector.Cursor) *types.Var {
	assign, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Rhs) != 1 {
		return nil
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.Defs[id].(*types.Var) // nil where it is not new
	return v
}

// dropped reports whether nothing has the value of v once the function returns.
func dropped(source *rewrite.Source, fn inspector.Cursor, v *types.Var) bool {
	for _, id := range source.Mentions(fn, v) {
		if source.Info.Defs[id.Node().(*ast.Ident)] != v && !borrows(source.Info, id) {
			return false
		}
	}
	return true
}

// borrows reports whether the use of a value at c ends with the statement, or with the
// function if it is deferred.
func borrows(info *types.Info, c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		sel := c.Parent()
		switch s := info.Selections[sel.Node().(*ast.SelectorExpr)]; s.Kind() {
		case types.FieldVal:
			return sel.ParentEdgeKind() != edge.UnaryExpr_X
		case types.MethodVal:
			return sel.ParentEdgeKind() == edge.CallExpr_Fun && sel.Parent().ParentEdgeKind() != edge.GoStmt_Call
		}
	case edge.CallExpr_Args:
		call := c.Parent()
		callee := rewrite.Callee(info, call.Node().(*ast.CallExpr))
		if chained[callee] && call.ParentEdgeKind() == edge.SelectorExpr_X {
			method := call.Parent()
			return method.ParentEdgeKind() == edge.CallExpr_Fun && method.Parent().ParentEdgeKind() != edge.GoStmt_Call
		}
		return borrowers[callee] && call.ParentEdgeKind() != edge.GoStmt_Call
	}
	return false
}

// pool takes the value of the call at c from a new pool.
func pool(pass *analysis.Pass, hoister *rewrite.Hoister, c inspector.Cursor, m maker) ([]analysis.SuggestedFix, bool) {
	call, stmt := c.Node().(*ast.CallExpr), c.Parent()
	assign := stmt.Node().(*ast.AssignStmt)
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || stmt.ParentEdgeKind() != edge.BlockStmt_List || looped(c) || call.Ellipsis.IsValid() {
		return nil, false
	}
	place, ok := hoister.Above(c)
	if !ok || !place.Means(call.Fun) {
		return nil, false
	}
	sync, edits, ok := place.Import("sync")
	if !ok {
		return nil, false
	}
	file := rewrite.Of(pass).File(c)
	_, indent, ok := file.Above(assign.Pos())
	if !ok {
		return nil, false
	}
	indent = "\n" + indent
	typ := file.Text(of.X) + "." + m.typ
	value := "return " + file.Text(call.Fun) + "(nil)"
	if m.fails {
		value = "return new(" + typ + ")"
	}
	name, declared := place.Declare(m.suffix, sync+"Pool{New: func() any { "+value+" }}", call)
	v := file.Text(assign.Lhs[0])
	text := v + " := " + name + ".Get().(*" + typ + ")" + indent + "defer " + name + ".Put(" + v + ")" + indent
	if m.fails {
		failure, ok := assign.Lhs[1].(*ast.Ident)
		if !ok || failure.Name == "_" {
			return nil, false // without its error, a nil reader panics
		}
		token := " = "
		if pass.TypesInfo.Defs[failure] != nil {
			token = " := "
		}
		text += failure.Name + token
	}
	text += v + ".Reset(" + file.Text(call.Args[0]) + ")"
	fix := file.Fix("Use a pool", append(edits, declared, rewrite.Replace(assign, text))...)
	return fix, fix != nil
}

// looped reports whether the function around c comes to it more than once.
func looped(c inspector.Cursor) bool {
	for p := range c.Enclosing() {
		switch p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return true
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
	}
	return false
}
