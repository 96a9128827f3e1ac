// Package encoder finds compressors and buffered readers and writers that each call of a
// function makes again.
package encoder

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
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

The check covers the readers and writers of bufio, and those of compress, of their copies
in github.com/klauspost/compress, and of snappy, s2, lz4 and brotli that Reset makes like
new. In lines that cost something in a profile it covers hashes and json.Marshal, too,
which then encodes into a buffer from a pool. A hash of one text needs no state on the heap:

	h := sha256.New()
	h.Write(data)              →  sum := sha256.Sum256(data)
	return hex(h.Sum(nil))        return hex(sum[:])

Nor does a sum that is only read:

	hex.EncodeToString(h.Sum(nil))  →  var sum [sha256.Size]byte
	                                   hex.EncodeToString(h.Sum(sum[:0]))

It is silent where the code runs once, and
in tests. The preconditions of the fix:

  - the function only calls methods of the value, reads and sets its fields, and hands it
    to functions that are known not to keep it; memory that the value lends, as
    bufio.Reader.ReadSlice does, dies with the function, too;
  - the value is not made in a loop, where deferred calls would pile up;
  - what a bufio.Reader or Writer is made for is of a type that is not of bufio:
    NewReader and NewWriter return such an argument as it is. For a parameter of an
    interface's type, this holds if the function is not exported and each of its calls has
    such an argument;
  - the text of json.Marshal is not compared with nil.`

// Analyzer finds encoders and decoders that a pool can keep.
var Analyzer = &analysis.Analyzer{
	Name:     "encoder",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

// search looks for the encoders of a package.
type search struct{ *reuse.Package }

func run(pass *analysis.Pass) (any, error) {
	s := &search{reuse.NewPackage(pass)}
	for c := range rewrite.Files(pass).Preorder((*ast.CallExpr)(nil)) {
		name := rewrite.Callee(pass.TypesInfo, c.Node().(*ast.CallExpr))
		m, ok := makers[name]
		switch {
		case ok && !rewrite.Once(pass, c):
			if !s.sum(c, name) && !s.seeds(c, name) {
				s.encoder(c, m)
			}
		case name == "encoding/json.Marshal" && !rewrite.Once(pass, c):
			s.marshal(c)
		}
	}
	return nil, nil
}

// encoder reports the value of the constructor's call at c if the function drops it.
func (s *search) encoder(c inspector.Cursor, m maker) {
	call := c.Node().(*ast.CallExpr)
	if m.wraps && !s.Prover.AlwaysIs(c.ChildAt(edge.CallExpr_Args, 0), foreign) {
		return
	}
	v, fn := made(s.Info, c), rewrite.Function(c)
	if v == nil || !s.Prover.VariableDies(fn, v) {
		return
	}
	d := analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Related: s.uses(fn, v),
		Message: "each call makes a " + types.ExprString(call.Fun) +
			" and drops it: keep it in a sync.Pool and Reset it",
	}
	if m.small {
		d.Category = rewrite.Sometimes
	}
	d.SuggestedFixes = s.pool(c, m)
	s.Pass.Report(d)
}

// maxUses bounds the places that a report names.
const maxUses = 8

// uses returns the calls that use a variable: an encoder makes its tables when it is used.
func (s *search) uses(fn inspector.Cursor, v *types.Var) (all []analysis.RelatedInformation) {
	for _, id := range s.Source.Mentions(fn, v) {
		if s.Info.Defs[id.Node().(*ast.Ident)] == v || len(all) == maxUses {
			continue
		}
		for call := range id.Enclosing((*ast.CallExpr)(nil)) {
			n := call.Node()
			all = append(all, analysis.RelatedInformation{Pos: n.Pos(), End: n.End(), Message: "used here"})
			break
		}
	}
	return all
}

// foreign reports whether a type is none of bufio's.
func foreign(t types.Type) bool { return !strings.HasPrefix(t.String(), "*bufio.") }

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

// pool takes the value of the call at c from a new pool.
func (s *search) pool(c inspector.Cursor, m maker) []analysis.SuggestedFix {
	call, stmt := c.Node().(*ast.CallExpr), c.Parent()
	assign := stmt.Node().(*ast.AssignStmt)
	of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() || !m.hash && len(call.Args) != 1+m.constants {
		return nil
	}
	place, ok := s.Hoister.Above(c)
	if !ok {
		return nil
	}
	file := s.Source.File(c)
	typ, value := "*"+file.Text(of.X)+"."+m.typ, file.Text(call.Fun)
	var imports []analysis.TextEdit
	switch {
	case m.hash:
		qualifier, edits, ok := reuse.Import(file, place, "hash", call)
		if !ok {
			return nil
		}
		typ, value, imports = qualifier+m.typ, value+"()", edits
	case m.fails:
		value = "new(" + typ[1:] + ")"
	default:
		value += "(nil"
		for _, arg := range call.Args[1:] {
			if s.Info.Types[arg].Value == nil {
				return nil
			}
			value += ", " + file.Text(arg)
		}
		value += ")"
	}
	var fixed []ast.Expr
	if len(call.Args) > 1 {
		fixed = call.Args[1:]
	}
	pool, ok := reuse.NewPool(place, file, stmt, m.suffix, typ, value, append(fixed, call.Fun)...)
	if !ok {
		return nil
	}
	v := file.Text(assign.Lhs[0])
	for _, arg := range call.Args {
		if mentions(arg, v) {
			return nil // a variable that the new one hides
		}
	}
	reset := v + ".Reset("
	if len(call.Args) > 0 {
		reset += file.Text(call.Args[0])
	}
	reset += ")"
	if m.fails {
		failure, ok := assign.Lhs[1].(*ast.Ident)
		if !ok || failure.Name == "_" {
			return nil // without its error, a nil reader panics
		}
		token := " = "
		if s.Info.Defs[failure] != nil {
			token = " := "
		}
		reset = failure.Name + token + reset
	}
	edits := append(imports, pool.Edits()...)
	return file.Fix("Use a pool", append(edits, rewrite.Replace(assign, pool.Lines(append(pool.Take(v), reset)...)))...)
}

// mentions reports whether an expression has an identifier.
func mentions(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
