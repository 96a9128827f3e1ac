package price

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/repeated"
)

// candidate is an expression that can be executed again before its statement.
type candidate struct {
	expr      ast.Expr
	statement ast.Stmt
	keep      string // the function that stores its result
	second    bool   // there is an error beside the result
	// fields is a struct literal whose values cannot be computed again: the extra ones
	// are made without them, so that the price is their memory's.
	fields *ast.CompositeLit
}

// find returns the expression of a line to amplify or, without one, the reason. A column
// of 0 is not known.
func find(c inspector.Cursor, fset *token.FileSet, info *types.Info, line, column int) (found candidate, why string) {
	why = "no expression of the line can be executed again"
	var all []candidate
	end := token.NoPos // the last candidate's: what is in it is executed with it
	kinds := []ast.Node{
		(*ast.CallExpr)(nil), (*ast.BinaryExpr)(nil), (*ast.CompositeLit)(nil), (*ast.UnaryExpr)(nil), (*ast.FuncLit)(nil),
	}
	for e := range c.Preorder(kinds...) {
		expr := e.Node().(ast.Expr)
		p := fset.Position(repeated.Position(expr))
		if p.Line != line || column > 0 && p.Column != column || column == 0 && expr.Pos() < end {
			continue
		}
		keep, second := keeper(info, expr)
		if keep == "" || !allocates(info, expr) {
			continue
		}
		statement := statementOf(e)
		if statement == nil {
			why = "the line executes the expression only sometimes"
			continue
		}
		found := candidate{expr: expr, statement: statement, keep: keep, second: second}
		if !(reads{info, statement.Pos()}).only(expr) {
			if found.fields = structOf(info, expr); found.fields == nil {
				why = "executing the expression again could change more than memory"
				continue
			}
		}
		all, end = append(all, found), expr.End()
	}
	switch len(all) {
	case 0:
		return found, why
	case 1:
		return all[0], ""
	}
	return found, "the line has several expressions that allocate"
}

// structOf returns the literal in &T{…} of a struct, nil if that is no such expression.
func structOf(info *types.Info, e ast.Expr) *ast.CompositeLit {
	address, ok := e.(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	lit, _ := address.X.(*ast.CompositeLit)
	if _, is := info.TypeOf(address.X).Underlying().(*types.Struct); !is || lit == nil || lit.Type == nil {
		return nil
	}
	return lit
}

// keeper returns the function that stores a result on the heap, and whether the
// expression has an error beside it.
func keeper(info *types.Info, e ast.Expr) (name string, second bool) {
	t := info.TypeOf(e)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() != 2 || !types.Identical(tuple.At(1).Type(), types.Universe.Lookup("error").Type()) {
			return "", false
		}
		t, second = tuple.At(0).Type(), true
	}
	if t == nil {
		return "", false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return "Pointer", second
	case *types.Slice:
		return "Slice", second
	case *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "Value", second
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "String", second
		}
	}
	return "", false
}

// allocates reports whether an expression is of a kind that allocates.
func allocates(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		switch info.TypeOf(e).Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
		return false
	case *ast.UnaryExpr:
		_, lit := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.BinaryExpr:
		return e.Op == token.ADD && info.Types[e].Value == nil
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() { // a conversion of text
			_, from := info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
			_, to := info.TypeOf(e).Underlying().(*types.Basic)
			return from != to && info.Types[e].Value == nil
		}
		return true
	case *ast.FuncLit:
		return true
	}
	return false
}

// statementOf returns the statement of a list that always executes an expression, and
// once; nil if there is none.
func statementOf(c inspector.Cursor) ast.Stmt {
	for ; ; c = c.Parent() {
		parent := c.Parent()
		switch p := parent.Node().(type) {
		case *ast.CommClause:
			if c.Node() == ast.Node(p.Comm) {
				return nil
			}
			return c.Node().(ast.Stmt)
		case *ast.BlockStmt, *ast.CaseClause:
			if statement, ok := c.Node().(ast.Stmt); ok {
				return statement
			}
			return nil // a case's expression
		case *ast.BinaryExpr:
			if (p.Op == token.LAND || p.Op == token.LOR) && c.Node() == ast.Node(p.Y) {
				return nil
			}
		case *ast.ForStmt:
			if c.Node() != ast.Node(p.Init) {
				return nil
			}
		case *ast.IfStmt:
			if c.Node() == ast.Node(p.Else) || p.Init != nil && c.Node() != ast.Node(p.Init) {
				return nil // the condition may need Init's variables
			}
		case *ast.SwitchStmt:
			if p.Init != nil && c.Node() != ast.Node(p.Init) {
				return nil
			}
		case *ast.FuncLit, *ast.FuncDecl, *ast.File, *ast.LabeledStmt, *ast.SelectStmt, nil:
			return nil
		}
	}
}

// reads recognizes expressions that only read memory, and only variables that are
// declared before a statement.
type reads struct {
	info   *types.Info
	before token.Pos
}

func (r reads) all(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !r.only(e) })
}

// only reports whether an expression only reads. A panic is one that the statement has
// too.
func (r reads) only(e ast.Expr) bool {
	if r.info.Types[e].IsType() || r.info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case nil, *ast.BasicLit, *ast.FuncLit:
		return true
	case *ast.Ident:
		v, ok := r.info.ObjectOf(e).(*types.Var)
		return !ok || v.Parent() == nil || v.Pos() < r.before || v.Parent() == v.Pkg().Scope()
	case *ast.ParenExpr:
		return r.only(e.X)
	case *ast.SelectorExpr:
		if _, qualified := r.info.ObjectOf(e.Sel).(*types.Var); qualified {
			if id, ok := e.X.(*ast.Ident); ok {
				if _, pkg := r.info.ObjectOf(id).(*types.PkgName); pkg {
					return true
				}
			}
			return r.only(e.X)
		}
		return false
	case *ast.IndexExpr:
		return r.only(e.X) && r.only(e.Index)
	case *ast.SliceExpr:
		return r.only(e.X) && r.only(e.Low) && r.only(e.High) && r.only(e.Max)
	case *ast.StarExpr:
		return r.only(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && r.only(e.X)
	case *ast.BinaryExpr:
		return r.only(e.X) && r.only(e.Y)
	case *ast.KeyValueExpr:
		_, field := e.Key.(*ast.Ident)
		return (field || r.only(e.Key)) && r.only(e.Value)
	case *ast.CompositeLit:
		return r.all(e.Elts)
	case *ast.TypeAssertExpr:
		return e.Type != nil && r.only(e.X)
	case *ast.CallExpr:
		return r.call(e)
	}
	return false
}

// call reports whether a call only reads: conversions, some predeclared functions, and
// functions of the standard library that return text or bytes.
func (r reads) call(call *ast.CallExpr) bool {
	if !r.all(call.Args) {
		return false
	}
	if r.info.Types[call.Fun].IsType() {
		return true
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, builtin := r.info.Uses[fun].(*types.Builtin); builtin {
			return slices.Contains([]string{"len", "cap", "make", "new", "min", "max", "complex"}, fun.Name)
		}
	case *ast.SelectorExpr:
		f, ok := r.info.Uses[fun.Sel].(*types.Func)
		return ok && f.Pkg() != nil && pure(f) && r.plain(f, call.Args) &&
			(f.Signature().Recv() == nil || r.only(fun.X))
	}
	return false
}

// plain reports whether the arguments of a function that formats are values without
// methods, which it would call.
func (r reads) plain(f *types.Func, args []ast.Expr) bool {
	if f.Pkg().Path() != "fmt" && f.Pkg().Path() != "encoding/json" {
		return true
	}
	return !slices.ContainsFunc(args, func(e ast.Expr) bool {
		t := r.info.TypeOf(e)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		_, inside := t.Underlying().(*types.Interface)
		return inside || types.NewMethodSet(types.NewPointer(t)).Len() > 0
	})
}

// readers are functions and methods of the standard library that only read, by package:
// all of them, or those with the given beginnings of their names.
var readers = map[string][]string{
	"bytes":           {"Clone", "Fields", "Join", "Repeat", "Replace", "Split", "Title", "To", "Trim"},
	"encoding/base64": {"Encoding.EncodeToString", "Encoding.DecodeString"},
	"encoding/hex":    {"EncodeToString", "DecodeString"},
	"encoding/json":   {"Marshal"},
	"errors":          {"New"},
	"fmt":             {"Sprint", "Errorf"},
	"net/url":         {"Parse", "QueryEscape", "PathEscape", "Values.Encode", "URL.String"},
	"path":            {""},
	"path/filepath":   {"Base", "Clean", "Dir", "Ext", "Join", "FromSlash", "ToSlash"},
	"regexp":          {"Compile", "MustCompile", "QuoteMeta", "Regexp.Find", "Regexp.ReplaceAll"},
	"slices":          {"Clone", "Concat"},
	"strconv":         {"Format", "Itoa", "Quote", "Unquote"},
	"strings":         {"Clone", "Fields", "Join", "Repeat", "Replace", "Split", "Title", "To", "Trim"},
	"time":            {"Time.Format", "Time.String", "Duration.String"},
}

func pure(f *types.Func) bool {
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		named, ok := t.(*types.Named)
		if !ok {
			return false
		}
		name = named.Obj().Name() + "." + name
	}
	if strings.HasSuffix(name, "Func") || f.Name() == "Map" {
		return false // it calls a function of the program's
	}
	return slices.ContainsFunc(readers[f.Pkg().Path()], func(begins string) bool {
		return strings.HasPrefix(name, begins) && (begins != "" || f.Signature().Recv() == nil)
	})
}
