// Package stringconversion finds conversions between strings and byte slices that copy the
// text although another function takes it unconverted.
package stringconversion

import (
	"go/ast"
	"go/types"
	"path"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report conversions between string and []byte that copy the text for one call

A conversion copies the text, unless the compiler proves the copy needless: in map
look-ups, comparisons, concatenations and loops, and where the callee is known neither
to keep nor to change the bytes. Elsewhere, a function that takes the other type
avoids the copy:

	strings.Contains(string(b), "x")   →  bytes.Contains(b, []byte("x"))
	re.MatchString(string(b))          →  re.Match(b)
	re.Match([]byte(s))                →  re.MatchString(s)
	utf8.ValidString(string(b))        →  utf8.Valid(b)
	f(bytes.NewReader([]byte(s)))      →  f(strings.NewReader(s)), for an io.Reader
	w.Write([]byte(s))                 →  io.WriteString(w, s), for an io.Writer

In lines that cost something in a profile, so does a string whose runes are only counted
or ranged over: the loop can range over the string, and count where it needs the index.
So does a comparison in another case:

	strings.ToLower(s) == "gzp"        →  strings.EqualFold(s, "gzp")

So do bytes of a string that a function only reads, and of which it makes strings again:

	b := []byte(s)                     →  b := s, and so on with all that get parts of b:
	i := bytes.IndexByte(b, '=')       →  i := strings.IndexByte(b, '=')
	return string(b[:i])               →  return b[:i]

So does a text that is made for a function of the package which only reads it, if all its
callers make one:

	isError(string(line[:n]))          →  isError(line[:n]), which takes bytes
	path := dir + "/" + name           →  path := make([]byte, 0, 128), to which the
	return t.lookup(path)                 parts are appended; lookup takes bytes

The preconditions of the fix:

  - the function is that of the standard library, and returns no part of the text;
  - the other arguments only read, so that none of them changes the bytes; text among
    them is a constant, or the function is HasPrefix, HasSuffix or EqualFold;
  - a string whose runes are read is a variable that only its function sees and that
    nothing assigns, and so is the index of the loop;
  - the text that is compared is a constant of ASCII, and has no i and s after ToLower, and
    no I and K after ToUpper: EqualFold has other equals of these letters;
  - a reader is passed to a function of the standard library that asks for its type
    only to learn its length;
  - bytes that are only read are in local variables, none of which is changed, compared with
    nil, ranged over or handed to others than append, copy, len and functions of package
    bytes that package strings has, too; a part of the string keeps all of it alive;
  - a function that is to take bytes is not exported, no value, no method of an interface,
    and not mentioned in tests or in files of other builds; it calls nothing and changes
    nothing, and reads the length, single bytes, or the text as the key of a look-up or in a
    comparison;
  - an io.Writer is a variable to which the function writes with io.WriteString anyway: if
    a type has a Write of its own and embeds a writer with WriteString, io.WriteString
    bypasses that Write.`

// Analyzer finds conversions that copy text for one call.
var Analyzer = &analysis.Analyzer{
	Name:     "stringconversion",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// twin is the function that takes the other form of text.
type twin struct {
	pkg, name string // pkg is "" for a method of the same value
	texts     int    // how many arguments, from the first, are of that form
}

var twins = map[string]twin{
	"strings.Contains":      {"bytes", "Contains", 2},
	"strings.ContainsAny":   {"bytes", "ContainsAny", 1},
	"strings.ContainsRune":  {"bytes", "ContainsRune", 1},
	"strings.Count":         {"bytes", "Count", 2},
	"strings.EqualFold":     {"bytes", "EqualFold", 2},
	"strings.HasPrefix":     {"bytes", "HasPrefix", 2},
	"strings.HasSuffix":     {"bytes", "HasSuffix", 2},
	"strings.Index":         {"bytes", "Index", 2},
	"strings.IndexAny":      {"bytes", "IndexAny", 1},
	"strings.IndexByte":     {"bytes", "IndexByte", 1},
	"strings.IndexRune":     {"bytes", "IndexRune", 1},
	"strings.LastIndex":     {"bytes", "LastIndex", 2},
	"strings.LastIndexAny":  {"bytes", "LastIndexAny", 1},
	"strings.LastIndexByte": {"bytes", "LastIndexByte", 1},

	"unicode/utf8.RuneCountInString":      {"unicode/utf8", "RuneCount", 1},
	"unicode/utf8.ValidString":            {"unicode/utf8", "Valid", 1},
	"unicode/utf8.DecodeRuneInString":     {"unicode/utf8", "DecodeRune", 1},
	"unicode/utf8.DecodeLastRuneInString": {"unicode/utf8", "DecodeLastRune", 1},

	"(*regexp.Regexp).MatchString":                {"", "Match", 1},
	"(*regexp.Regexp).FindStringIndex":            {"", "FindIndex", 1},
	"(*regexp.Regexp).FindStringSubmatchIndex":    {"", "FindSubmatchIndex", 1},
	"(*regexp.Regexp).FindAllStringIndex":         {"", "FindAllIndex", 1},
	"(*regexp.Regexp).FindAllStringSubmatchIndex": {"", "FindAllSubmatchIndex", 1},
	"(*regexp.Regexp).Match":                      {"", "MatchString", 1},
	"(*regexp.Regexp).FindIndex":                  {"", "FindStringIndex", 1},
	"(*regexp.Regexp).FindSubmatchIndex":          {"", "FindStringSubmatchIndex", 1},
	"(*regexp.Regexp).FindAllIndex":               {"", "FindAllStringIndex", 1},
	"(*regexp.Regexp).FindAllSubmatchIndex":       {"", "FindAllStringSubmatchIndex", 1},
}

func run(pass *analysis.Pass) (any, error) {
	info := pass.TypesInfo
	root := rewrite.Files(pass)
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		if len(call.Args) == 0 || call.Ellipsis.IsValid() {
			continue
		}
		name := rewrite.Callee(info, call)
		text := converted(info, call.Args[0])
		other, ok := twins[name]
		switch {
		case ok && spares(info, call, other):
			reportTwin(pass, c, other)
		case name == "bytes.NewReader" || name == "bytes.NewBuffer":
			if text != nil && !constant(info, text) {
				reportReader(pass, c, text)
			}
		case text != nil && writes(info, call):
			pass.Report(analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(),
				Message: "the string is copied to be written: " +
					"io.WriteString spares that where the writer takes strings",
				SuggestedFixes: fixWrite(pass, c, text),
			})
		}
	}
	var names rewrite.Names
	for c := range root.Preorder((*ast.AssignStmt)(nil)) {
		reportRunes(pass, c, &names)
		reportRead(pass, c)
	}
	for c := range root.Preorder((*ast.BinaryExpr)(nil)) {
		reportFold(pass, c)
	}
	reportParameters(pass)
	return nil, nil
}

// converted returns x of string(x) for a byte slice x, or of []byte(x) for a string
// x, or nil.
func converted(info *types.Info, e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
		return nil
	}
	to, from := info.TypeOf(e), info.TypeOf(call.Args[0])
	if isString(to) && isBytes(from) || isBytes(to) && isString(from) {
		return call.Args[0]
	}
	return nil
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

func constant(info *types.Info, e ast.Expr) bool { return info.Types[e].Value != nil }

// spares reports whether the twin of a call copies less: the call converts a text,
// and the twin needs no conversion except of constants, or of texts that the compiler
// can prove it neither keeps nor changes.
func spares(info *types.Info, call *ast.CallExpr, other twin) bool {
	found := false
	for _, arg := range call.Args[:other.texts] {
		switch {
		case converted(info, arg) != nil:
			found = true
		case constant(info, arg):
		case other.name == "HasPrefix" || other.name == "HasSuffix" || other.name == "EqualFold":
		default:
			return false
		}
	}
	return found
}

// reportTwin reports a call that its twin can replace.
func reportTwin(pass *analysis.Pass, c inspector.Cursor, other twin) {
	call := c.Node().(*ast.CallExpr)
	shown := other.name
	if other.pkg != "" {
		shown = path.Base(other.pkg) + "." + shown
	}
	var conversion ast.Expr
	for _, arg := range call.Args[:other.texts] {
		if text := converted(pass.TypesInfo, arg); text != nil && !constant(pass.TypesInfo, text) {
			conversion = arg
			break
		}
	}
	if conversion == nil {
		return
	}
	pass.Report(analysis.Diagnostic{
		Pos: conversion.Pos(), End: conversion.End(),
		Message:        "the conversion copies the text: " + shown + " takes it as it is",
		SuggestedFixes: fixTwin(pass, c, other),
	})
}

func fixTwin(pass *analysis.Pass, c inspector.Cursor, other twin) []analysis.SuggestedFix {
	info, call := pass.TypesInfo, c.Node().(*ast.CallExpr)
	f := rewrite.Of(pass).File(c)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f == nil || !ok {
		return nil
	}
	var edits []analysis.TextEdit
	for i, arg := range call.Args {
		text := converted(info, arg)
		switch {
		case i >= other.texts:
			if !rewrite.Pure(info, arg) {
				return nil
			}
		case text != nil:
			if !rewrite.Pure(info, text) && len(call.Args) > 1 {
				return nil
			}
			if to := info.TypeOf(text); isString(to) && !types.Identical(to, types.Typ[types.String]) {
				return nil // a named string is no argument for a string
			}
			edits = append(edits, rewrite.Replace(arg, f.Text(text)))
		default:
			if !rewrite.Pure(info, arg) || !f.Universe("byte", arg.Pos()) {
				return nil
			}
			edits = append(edits, rewrite.Replace(arg, "[]byte("+f.Text(arg)+")"))
		}
	}
	if other.pkg == "" {
		if s := info.Selections[sel]; s == nil || len(s.Index()) != 1 || !rewrite.Pure(info, sel.X) {
			return nil
		}
		return f.Fix("Use "+other.name, append(edits, rewrite.Replace(sel.Sel, other.name))...)
	}
	qualifier, imports, ok := f.Import(other.pkg, call.Pos())
	if !ok {
		return nil
	}
	edits = append(edits, rewrite.Replace(call.Fun, qualifier+other.name))
	return f.Fix("Use "+path.Base(other.pkg)+"."+other.name, append(imports, edits...)...)
}

// readers are packages that take an io.Reader and inspect its type only to learn its
// length, which all of these readers report.
var readers = map[string]bool{
	"bufio": true, "compress/gzip": true, "compress/zlib": true, "encoding/base64": true, "encoding/csv": true,
	"encoding/gob":  true,
	"encoding/json": true, "encoding/xml": true, "io": true, "net/http": true, "net/http/httptest": true,
}

// reportReader reports a reader of converted text that is passed as an io.Reader.
func reportReader(pass *analysis.Pass, c inspector.Cursor, text ast.Expr) {
	info, call := pass.TypesInfo, c.Node().(*ast.CallExpr)
	outer, ok := c.Parent().Node().(*ast.CallExpr)
	if !ok || !isReader(parameter(info, outer, call)) {
		return
	}
	d := analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Message: "the text is copied to be read: strings.NewReader reads it as it is",
	}
	f := rewrite.Of(pass).File(c)
	fn, known := callee(info, outer)
	known = known && fn.Pkg() != nil && readers[fn.Pkg().Path()]
	if f != nil && known && types.Identical(info.TypeOf(text), types.Typ[types.String]) {
		if qualifier, imports, ok := f.Import("strings", call.Pos()); ok {
			read := rewrite.Replace(call, qualifier+"NewReader("+f.Text(text)+")")
			d.SuggestedFixes = f.Fix("Use strings.NewReader", append(imports, read)...)
		}
	}
	pass.Report(d)
}

func callee(info *types.Info, call *ast.CallExpr) (*types.Func, bool) {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, ok := info.Uses[fun].(*types.Func)
		return fn, ok
	case *ast.SelectorExpr:
		fn, ok := info.Uses[fun.Sel].(*types.Func)
		return fn, ok
	}
	return nil, false
}

// parameter returns the type of the parameter that an argument is for, or nil.
func parameter(info *types.Info, call *ast.CallExpr, arg ast.Expr) types.Type {
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return nil
	}
	for i, a := range call.Args {
		if ast.Unparen(a) == arg && i < sig.Params().Len() && !(sig.Variadic() && i == sig.Params().Len()-1) {
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

func isReader(t types.Type) bool { return t != nil && types.TypeString(t, nil) == "io.Reader" }

// writes reports whether a call is Write of an io.Writer: its dynamic type is
// unknown, so the compiler must copy.
func writes(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Write" || info.Selections[sel] == nil {
		return false
	}
	switch types.TypeString(info.TypeOf(sel.X), nil) {
	case "io.Writer", "io.WriteCloser", "io.ReadWriter", "io.ReadWriteCloser", "net/http.ResponseWriter":
		return true
	}
	return false
}

// fixWrite calls io.WriteString instead of the Write at c.
func fixWrite(pass *analysis.Pass, c inspector.Cursor, text ast.Expr) []analysis.SuggestedFix {
	call := c.Node().(*ast.CallExpr)
	w := rewrite.Variable(pass.TypesInfo, ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
	f := rewrite.Of(pass).File(c)
	if f == nil || !types.Identical(pass.TypesInfo.TypeOf(text), types.Typ[types.String]) {
		return nil
	}
	source, fn := rewrite.Of(pass), rewrite.Function(c)
	if !source.Local(fn, w) || rewrite.Writes(pass.TypesInfo, fn.Node(), w) {
		return nil
	}
	for _, id := range source.Mentions(fn, w) {
		other, ok := id.Parent().Node().(*ast.CallExpr)
		if ok && rewrite.Callee(pass.TypesInfo, other) == "io.WriteString" {
			io, edits, ok := f.Import("io", call.Pos())
			if !ok {
				return nil
			}
			return f.Fix("Use io.WriteString", append(edits,
				rewrite.Replace(call, io+"WriteString("+w.Name()+", "+f.Text(text)+")"))...)
		}
	}
	return nil
}
