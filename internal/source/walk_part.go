package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// slicing notes parts of slices and strings that are put where they outlive the
// function: a map, a field, a global, a return value, another slice.
func (w *walker) slicing(n *ast.SliceExpr) {
	t := w.typeOf(n.X)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Slice); !ok && !isText(t) {
		return
	}
	if !w.kept(n, n.X) {
		return
	}
	a := Allocation{Kind: Slicing, Text: w.text(n), Type: w.name(t), Target: w.text(n.X)}
	if at := w.assignedBefore(n.X); at.IsValid() {
		a.Made = w.position(at)
	}
	w.add(n.Lbrack, a)
}

// kept reports whether a part of a whole is stored: assigned to anything but a local variable, to a
// local that the function stores or returns, or to an element, put into a container, or returned.
func (w *walker) kept(part, whole ast.Expr) bool {
	n, parent := w.unconverted(part)
	switch p := parent.(type) {
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if ast.Unparen(r) != n || i >= len(p.Lhs) {
				continue
			}
			if types.ExprString(p.Lhs[i]) == types.ExprString(whole) {
				return false // s = s[i:] moves on within memory that is held anyway
			}
			id, local := p.Lhs[i].(*ast.Ident)
			if !local || w.outlives(p.Lhs[i]) {
				return true
			}
			return w.storedLater(id)
		}
	case *ast.CallExpr:
		if c, sel, ok := w.container(ast.Unparen(p.Fun)); ok {
			return w.keeps(c, sel.Sel.Name, p.Args)
		}
		id, ok := p.Fun.(*ast.Ident)
		return ok && id.Name == "append" && !p.Ellipsis.IsValid() && len(p.Args) > 0 && p.Args[0] != n
	case *ast.KeyValueExpr, *ast.CompositeLit, *ast.ReturnStmt, *ast.SendStmt:
		return true
	}
	return false
}

// unconverted returns the expression that a node is once it is converted to other
// types, and the node around that.
func (w *walker) unconverted(e ast.Expr) (ast.Expr, ast.Node) {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch p := w.stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if w.info.Types[p.Fun].IsType() {
				e = p
				continue
			}
		}
		return e, w.stack[i]
	}
	return e, nil
}

// assignedBefore returns where the function last gave a local variable a value
// before the node; no position for parameters and anything but a local variable.
func (w *walker) assignedBefore(e ast.Expr) (at token.Pos) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	body := w.function()
	if !ok || body == nil {
		return token.NoPos
	}
	v := w.object(id)
	ast.Inspect(body, func(n ast.Node) bool {
		var given []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.End() < e.Pos() {
				given = n.Lhs
			}
		case *ast.RangeStmt:
			if n.X.End() < e.Pos() {
				given = []ast.Expr{n.Key, n.Value}
			}
		}
		for _, l := range given {
			if x, ok := l.(*ast.Ident); ok && v != nil && w.object(x) == v {
				at = n.Pos()
			}
		}
		return true
	})
	return at
}

// cuts are functions that return parts of the text that they are given first, by the
// beginning of their names.
var cuts = []string{"strings.Split", "strings.Fields", "strings.Cut", "strings.Trim", "strings.Lines",
	"bytes.Split", "bytes.Fields", "bytes.Cut", "bytes.Trim", "bytes.Lines",
	"regexp.(*Regexp).FindString", "regexp.(*Regexp).FindAllString", "regexp.(*Regexp).FindAll",
	"regexp.(*Regexp).FindSubmatch", "regexp.(*Regexp).Split", "net/url.Parse"}

// records are functions whose results are parts of one text that they make: one field
// keeps all of them (readRecord in encoding/csv/reader.go).
var records = []string{"encoding/csv.(*Reader).Read"}

// Cuts reports whether a function, as a profile names it, returns parts of the text that
// it is given.
func Cuts(function string) bool {
	return begins(function, cuts) && !strings.HasSuffix(function, "Index")
}

func begins(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// parts notes results of library functions that are parts of one text and are put where
// they outlive the function: the fields of a record, the words of a text, the groups of a
// match.
func (w *walker) parts(n *ast.CallExpr, callee string) {
	record := begins(callee, records)
	if !record && (!Cuts(callee) || len(n.Args) == 0) {
		return
	}
	var results []ast.Expr
	switch p := w.parent().(type) {
	case *ast.AssignStmt:
		if len(p.Rhs) == 1 {
			results = p.Lhs
		}
	case *ast.RangeStmt:
		results = []ast.Expr{p.Key, p.Value}
	}
	for _, r := range results {
		id, ok := r.(*ast.Ident)
		if !ok {
			continue
		}
		part := w.stored(id)
		if part == nil {
			continue
		}
		a := Allocation{Kind: Slicing, Text: w.text(part), Type: w.name(w.typeOf(part)), Target: "the record"}
		made := n.Pos()
		if !record {
			whole := ast.Unparen(n.Args[0])
			if s, ok := whole.(*ast.SliceExpr); ok {
				whole = s.X
			}
			a.Target, made = w.text(whole), w.assignedBefore(whole)
		}
		if made.IsValid() {
			a.Made = w.position(made)
		}
		w.add(part.Pos(), a)
		return
	}
}

// storedLater reports whether the function puts a local variable elsewhere as it
// is: into an element, a field, a literal, a slice.
func (w *walker) storedLater(id *ast.Ident) bool { return w.stored(id) != nil }

// stored returns the first expression of a local variable, or of an element or a part of
// it, that the function puts elsewhere; nil if there is none.
func (w *walker) stored(id *ast.Ident) (part ast.Expr) {
	// is reports whether an expression is the variable, an element of it or a part of it,
	// and remembers the expression.
	v := w.object(id)
	is := func(e ast.Expr) bool {
		whole := ast.Unparen(e)
		switch x := whole.(type) {
		case *ast.IndexExpr:
			whole = x.X
		case *ast.SliceExpr:
			whole = x.X
		}
		x, ok := whole.(*ast.Ident)
		if !ok || v == nil || w.object(x) != v {
			return false
		}
		part = e
		return true
	}
	body := w.function()
	if body == nil {
		return nil
	}
	// Each case is a way in which a value leaves the function's variables: stored, kept in a
	// literal, returned or appended.
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if i < len(n.Lhs) && is(r) {
					if _, local := n.Lhs[i].(*ast.Ident); !local || w.outlives(n.Lhs[i]) {
						found = true
					}
				}
			}
			for _, l := range n.Lhs { // m[part] = v keeps the key
				if x, ok := l.(*ast.IndexExpr); ok && is(x.Index) {
					if _, ok := underlying(w.typeOf(x.X)).(*types.Map); ok {
						found = true
					}
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				found = found || is(e)
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				found = found || is(r)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "append" && !n.Ellipsis.IsValid() {
				for _, a := range n.Args[min(1, len(n.Args)):] {
					found = found || is(a)
				}
			}
		}
		return !found
	})
	if !found {
		return nil
	}
	return part
}
