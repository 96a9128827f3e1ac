// Package requestbuffer finds buffers that each call of a function makes again.
package requestbuffer

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report buffers that a function fills and drops

A buffer that is made for each call costs its memory each time, and a bytes.Buffer
several pieces of memory until it is large enough. One from a pool has grown already:

	func render(w io.Writer, rows []row) error {
		var b bytes.Buffer
		for _, r := range rows {
			b.WriteString(r.name)
		}
		_, err := w.Write(b.Bytes())
		return err
	}

becomes

	var renderBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

	func render(w io.Writer, rows []row) error {
		b := renderBuffers.Get().(*bytes.Buffer)
		b.Reset()
		defer func() {
			if b.Cap() <= 64<<10 { // the pool would keep a large one forever
				renderBuffers.Put(b)
			}
		}()
		…

A slice of numbers of which a function only uses elements has room on the stack if it is
short:

	row := make([]int, len(word)+1)

becomes

	var room [64]int
	var row []int
	if n := len(word) + 1; n <= len(room) {
		row = room[:n:n]
	} else {
		row = make([]int, n)
	}

The check covers variables of type bytes.Buffer, io.ReadAll, which then reads into such a
buffer, slices of bytes that are read into or appended to, slices of numbers, and io.Copy, for which there is
io.CopyBuffer. It reports only in lines that
cost something in a profile, because few buffers matter. It is silent where the code runs
once, and in tests. The preconditions of a pool:

  - the function itself, and functions of the package that it calls, use the bytes only
    until they return: no result, field, closure or goroutine has them, nor code that is
    not known to drop them. Methods Read and Write keep nothing, as package io demands;
  - bytes that a pool left in a slice are not seen: the function reads only as many as
    the last call has read into it;
  - nothing compares the bytes with nil or asks for their capacity;
  - the buffer is not made in a loop, where deferred calls would pile up.`

// Analyzer finds buffers that a pool can keep.
var Analyzer = &analysis.Analyzer{
	Name:     "requestbuffer",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

// search looks for the buffers of a package.
type search struct{ *reuse.Package }

func run(pass *analysis.Pass) (any, error) {
	s := &search{reuse.NewPackage(pass)}
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil)) {
		d := s.declaration(c)
		if d.v == nil || rewrite.Once(pass, c) {
			continue
		}
		for _, report := range []func(declaration) bool{s.buffer, s.readAll, s.scratch, s.grown, s.stack} {
			if report(d) {
				break
			}
		}
	}
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		if rewrite.Callee(s.Info, call) == "io.Copy" && len(call.Args) == 2 && !rewrite.Once(pass, c) {
			s.copies(c)
		}
	}
	return nil, nil
}

// declaration is a statement that declares one variable, or that and an error.
type declaration struct {
	inspector.Cursor
	v     *types.Var
	value ast.Expr // nil of var v T
	typ   ast.Expr // nil of v := value
}

// declaration returns the one at c, or the zero declaration.
func (s *search) declaration(c inspector.Cursor) declaration {
	switch stmt := c.Node().(type) {
	case *ast.AssignStmt:
		if id, ok := stmt.Lhs[0].(*ast.Ident); ok && len(stmt.Rhs) == 1 {
			v, _ := s.Info.Defs[id].(*types.Var) // nil where it is not new
			return declaration{Cursor: c, v: v, value: ast.Unparen(stmt.Rhs[0])}
		}
	case *ast.DeclStmt:
		gen := stmt.Decl.(*ast.GenDecl)
		spec, ok := gen.Specs[0].(*ast.ValueSpec)
		if ok && len(gen.Specs) == 1 && len(spec.Names) == 1 && len(spec.Values) == 0 {
			v, _ := s.Info.Defs[spec.Names[0]].(*types.Var)
			return declaration{Cursor: c, v: v, typ: spec.Type}
		}
	}
	return declaration{}
}

// maxFilled bounds the places that a report names.
const maxFilled = 8

// report reports a buffer that a statement makes. It is paid for where it is
// filled.
func (s *search) report(at declaration, message string, filled []ast.Node, fixes []analysis.SuggestedFix) {
	d := analysis.Diagnostic{
		Pos: at.Node().Pos(), End: at.Node().End(), Category: rewrite.Sometimes, Message: message,
		SuggestedFixes: fixes,
	}
	for _, n := range filled[:min(len(filled), maxFilled)] {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: n.Pos(), End: n.End(), Message: "filled here"})
	}
	s.Pass.Report(d)
}
