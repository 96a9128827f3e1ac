// Package timeformat finds times that are formatted to a string only to be
// copied into a byte slice or a buffer.
package timeformat

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/reuse"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report time.Time.Format where AppendFormat needs no string

Format allocates a string. Where its bytes are only copied, AppendFormat writes
them to their place:

	b = append(b, t.Format(time.RFC3339)...)  →  b = t.AppendFormat(b, time.RFC3339)
	buf.WriteString(t.Format(time.RFC3339))   →  buf.Write(t.AppendFormat(buf.AvailableBuffer(), time.RFC3339))

The second form applies to *bytes.Buffer and *bufio.Writer. In a loop whose line costs
something in a profile, text for io.WriteString takes bytes that are made once:

	for _, e := range entries {
		io.WriteString(w, e.at.Format(layout))
	}

becomes

	scratch := make([]byte, 0, 64)
	for _, e := range entries {
		w.Write(e.at.AppendFormat(scratch[:0], layout))
	}

The preconditions of the fix:

  - the method is that of time.Time itself, not of a type around it;
  - the slice or buffer, the time and the layout only read, so that their order
    makes no difference and the buffer can be named twice;
  - nothing but the write uses the string of the loop; the writer does not keep the bytes,
    as package io demands, and its WriteString, if any, does the same as its Write;
  - the write to a buffer is not deferred, nor made by a go statement: it would
    follow other writes to the buffer that AvailableBuffer lends;
  - the language version has AvailableBuffer: Go 1.18 for bufio, Go 1.21 for
    bytes.`

// Analyzer finds formatted times that are copied.
var Analyzer = &analysis.Analyzer{
	Name:     "timeformat",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// since maps a method to the language version from which its receiver has
// AvailableBuffer.
var since = map[string]string{
	"(*bytes.Buffer).WriteString": "go1.21",
	"(*bufio.Writer).WriteString": "go1.18",
}

func run(pass *analysis.Pass) (any, error) {
	var names reuse.Names
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		if len(call.Args) == 0 {
			continue
		}
		reportScratch(pass, c, &names)
		format := formatted(pass.TypesInfo, call.Args[len(call.Args)-1])
		if format == nil {
			continue
		}
		switch name := rewrite.Callee(pass.TypesInfo, call); {
		case rewrite.IsBuiltin(pass.TypesInfo, call, "append") && call.Ellipsis.IsValid():
			if types.Identical(pass.TypesInfo.TypeOf(call.Args[0]), types.NewSlice(types.Typ[types.Byte])) {
				report(pass, c, format, call.Args[0], "")
			}
		case since[name] != "":
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				report(pass, c, format, sel.X, since[name])
			}
		}
	}
	return nil, nil
}

// formatted returns the call t.Format(layout) that an expression is, or nil.
func formatted(info *types.Info, e ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || rewrite.Callee(info, call) != "(time.Time).Format" {
		return nil
	}
	if _, method := ast.Unparen(call.Fun).(*ast.SelectorExpr); !method {
		return nil
	}
	return call
}

func report(pass *analysis.Pass, c inspector.Cursor, format *ast.CallExpr, to ast.Expr, version string) {
	d := analysis.Diagnostic{
		Pos:     format.Pos(),
		End:     format.End(),
		Message: "Format allocates a string that is only copied: use AppendFormat",
	}
	d.SuggestedFixes = fix(pass, c, format, to, version)
	pass.Report(d)
}

func fix(
	pass *analysis.Pass, c inspector.Cursor, format *ast.CallExpr, to ast.Expr, version string,
) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	sel := ast.Unparen(format.Fun).(*ast.SelectorExpr)
	if f == nil || version != "" && !f.AtLeast(version) || !direct(pass.TypesInfo, sel) ||
		!rewrite.Pure(pass.TypesInfo, to) || !rewrite.Pure(pass.TypesInfo, format.Args[0]) ||
		!instant(pass.TypesInfo, sel.X) {
		return nil
	}
	const message = "Append the time without a string"
	layout := f.Text(format.Args[0])
	if version == "" {
		return f.Fix(message, rewrite.Replace(c.Node(), f.Text(sel.X)+".AppendFormat("+f.Text(to)+", "+layout+")"))
	}
	switch c.Parent().Node().(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return nil // the buffer is written between the two calls
	}
	call := c.Node().(*ast.CallExpr)
	write := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !direct(pass.TypesInfo, write) {
		return nil
	}
	return f.Fix(message,
		rewrite.Replace(write.Sel, "Write"),
		rewrite.Replace(call.Args[0], f.Text(sel.X)+".AppendFormat("+f.Text(to)+".AvailableBuffer(), "+layout+")"))
}

// direct reports whether a method is called on a value of its own type, not on a
// type that embeds it: that could have another method of the new name.
func direct(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	return s != nil && len(s.Index()) == 1
}

// instant reports whether an expression is a time that only reads, or the time
// that time.Now returns, with or without UTC or Local.
func instant(info *types.Info, e ast.Expr) bool {
	if rewrite.Pure(info, e) {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	switch rewrite.Callee(info, call) {
	case "time.Now":
		return true
	case "(time.Time).UTC", "(time.Time).Local":
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return ok && instant(info, sel.X)
	}
	return false
}
