package price

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

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
		if id, ok := e.X.(*ast.Ident); ok {
			if _, pkg := r.info.ObjectOf(id).(*types.PkgName); pkg {
				return true
			}
		}
		return r.only(e.X)
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
		return ok && f.Pkg() != nil && pure(f) && r.plain(f, call.Args) && r.apart(f, call.Args) &&
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
		if f.Name() == "Errorf" && types.Identical(t, types.Universe.Lookup("error").Type()) {
			return false // an error has its text already
		}
		return inside || types.NewMethodSet(types.NewPointer(t)).Len() > 0
	})
}

// apart reports whether a function that appends writes to no other argument. Behind the end of
// its first one it writes the bytes that the statement is about to write there.
func (r reads) apart(f *types.Func, args []ast.Expr) bool {
	if !strings.HasPrefix(f.Name(), "Append") {
		return true
	}
	named := map[types.Object]bool{}
	own := true
	for i, arg := range args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := r.info.ObjectOf(id).(*types.Var); ok && i == 0 {
					named[v] = true
				} else if ok && named[v] {
					own = false
				}
			}
			return own
		})
	}
	return own
}

// readers are functions and methods of the standard library that only read and allocate, by
// package: all of them, or those with the given beginnings of their names.
var readers = map[string][]string{
	"bufio": {"New"},
	"bytes": {
		"Clone", "Fields", "Join", "NewBuffer", "NewReader", "Repeat", "Replace", "Split", "Title", "To", "Trim",
	},
	"compress/flate":  {"New"},
	"compress/gzip":   {"NewWriter"},
	"compress/zlib":   {"NewWriter"},
	"container/list":  {"New"},
	"context":         {"WithValue"},
	"crypto/md5":      {"New"},
	"crypto/sha1":     {"New"},
	"crypto/sha256":   {"New"},
	"crypto/sha512":   {"New"},
	"encoding/base64": {"Encoding.EncodeToString", "Encoding.DecodeString"},
	"encoding/csv":    {"New"},
	"encoding/hex":    {"EncodeToString", "DecodeString"},
	"encoding/json":   {"Marshal", "NewDecoder", "NewEncoder"},
	"encoding/xml":    {"NewDecoder", "NewEncoder"},
	"errors":          {"Join", "New"},
	"fmt":             {"Append", "Errorf", "Sprint"},
	"hash/crc32":      {"New"},
	"hash/crc64":      {"New"},
	"hash/fnv":        {"New"},
	"html":            {"EscapeString", "UnescapeString"},
	"maps":            {"Clone"},
	"math/big":        {"New"},
	"math/rand":       {"New"},
	"math/rand/v2":    {"New"},
	"net/url":         {"Parse", "QueryEscape", "PathEscape", "Values.Encode", "URL.String"},
	"path":            {""},
	"path/filepath":   {"Base", "Clean", "Dir", "Ext", "Join", "FromSlash", "ToSlash"},
	"regexp":          {"Compile", "MustCompile", "QuoteMeta", "Regexp.Find", "Regexp.ReplaceAll"},
	"slices":          {"Clone", "Concat", "Repeat"},
	"strconv":         {"Append", "Format", "Itoa", "Quote", "Unquote"},
	"strings": {
		"Clone", "Fields", "Join", "NewReader", "NewReplacer", "Repeat", "Replace", "Split", "Title", "To", "Trim",
	},
	"time": {"Time.AppendFormat", "Time.Format", "Time.String", "Duration.String"},
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
