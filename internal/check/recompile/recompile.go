// Package recompile finds constant patterns and templates that are compiled again
// and again.
package recompile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report constant patterns and templates that a function compiles

Each call compiles them again, which allocates thousands of bytes. A variable of the
package is compiled once:

	func isName(s string) bool {
		return regexp.MustCompile("^[a-z]+$").MatchString(s)
	}

becomes

	var isNameRegexp = regexp.MustCompile("^[a-z]+$")

	func isName(s string) bool {
		return isNameRegexp.MatchString(s)
	}

The check is silent where the code runs once: in init, in main outside of loops, in
functions for sync.Once or sync.OnceValue, where a variable of the package gets the
result, and in tests. The preconditions of the fix, for regexp.MustCompile and
MustCompilePOSIX:

  - the pattern compiles, so that nothing panics earlier than before;
  - the pattern means the same outside of the function;
  - no method that leads to the function is called while the variables of the package
    above it are initialized: Go orders them without regard to calls by way of
    interfaces;
  - no method Longest is called in the package, which would change the one value
    that all calls share.`

// Analyzer finds constants that are compiled in functions.
var Analyzer = &analysis.Analyzer{
	Name:     "recompile",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	names := namer{pass: pass, taken: map[string]bool{}, longest: longest(pass)}
	for c := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		what := compiled(pass.TypesInfo, call)
		if what == "" || once(pass, c) {
			continue
		}
		d := analysis.Diagnostic{
			Pos:     call.Pos(),
			End:     call.End(),
			Message: "each call compiles the constant " + what + ": compile it once, in a variable of the package",
		}
		d.SuggestedFixes = names.fix(c)
		pass.Report(d)
	}
	return nil, nil
}

// compiled names the constant that a call compiles; it is "" if there is none.
func compiled(info *types.Info, call *ast.CallExpr) string {
	if len(call.Args) != 1 || info.Types[call.Args[0]].Value == nil {
		return ""
	}
	switch rewrite.Callee(info, call) {
	case "regexp.MustCompile", "regexp.Compile", "regexp.MustCompilePOSIX", "regexp.CompilePOSIX":
		return "pattern"
	case "(*text/template.Template).Parse", "(*html/template.Template).Parse":
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fresh(info, sel.X) {
			return "template"
		}
	}
	return ""
}

// fresh reports whether a template is a new one with a constant name, with or
// without functions of the package.
func fresh(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch rewrite.Callee(info, call) {
	case "text/template.New", "html/template.New":
		return info.Types[call.Args[0]].Value != nil
	case "(*text/template.Template).Funcs", "(*html/template.Template).Funcs":
		v := rewrite.Variable(info, call.Args[0])
		sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return method && v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && fresh(info, sel.X)
	}
	return false
}

// once reports whether the code at c is of a test, or runs once.
func once(pass *analysis.Pass, c inspector.Cursor) bool {
	if strings.HasSuffix(pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
		return true
	}
	for p := range c.Enclosing() {
		switch n := p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			switch rewrite.Callee(pass.TypesInfo, n) {
			case "(*sync.Once).Do", "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
				return true
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if v := rewrite.Variable(pass.TypesInfo, left); v != nil && v.Parent() == pass.Pkg.Scope() {
					return true
				}
			}
		case *ast.FuncDecl:
			return n.Recv == nil && (n.Name.Name == "init" || n.Name.Name == "main" && pass.Pkg.Name() == "main")
		}
	}
	return true // of a variable of the package
}

// namer names the variables of the fixes of a package.
type namer struct {
	pass    *analysis.Pass
	taken   map[string]bool
	longest bool // the package calls a method Longest
}

// fix moves the call at c to a variable above its function.
func (n *namer) fix(c inspector.Cursor) []analysis.SuggestedFix {
	info := n.pass.TypesInfo
	call := c.Node().(*ast.CallExpr)
	var err error
	switch pattern := constant.StringVal(info.Types[call.Args[0]].Value); rewrite.Callee(info, call) {
	case "regexp.MustCompile":
		_, err = regexp.Compile(pattern)
	case "regexp.MustCompilePOSIX":
		_, err = regexp.CompilePOSIX(pattern)
	default:
		return nil
	}
	decl, at := function(c)
	f := rewrite.Of(n.pass).File(c)
	if err != nil || f == nil || decl == nil || n.longest || early(n.pass, decl) || !f.Means(call.Fun, at.Pos()) || !f.Means(call.Args[0], at.Pos()) {
		return nil
	}
	name := n.name(decl.Name.Name, f, call)
	return f.Fix("Compile the pattern once",
		rewrite.Insert(at.Pos(), "var "+name+" = "+f.Text(call)+"\n\n"),
		rewrite.Replace(call, name))
}

// function returns the declaration around c, and its first node, comment included.
func function(c inspector.Cursor) (decl *ast.FuncDecl, first ast.Node) {
	for p := range c.Enclosing((*ast.FuncDecl)(nil)) {
		decl = p.Node().(*ast.FuncDecl)
		if decl.Doc != nil {
			return decl, decl.Doc
		}
		return decl, decl
	}
	return nil, nil
}

// longest reports whether a package calls a method Longest.
func longest(pass *analysis.Pass) bool {
	for c := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder((*ast.SelectorExpr)(nil)) {
		if c.Node().(*ast.SelectorExpr).Sel.Name == "Longest" {
			return true
		}
	}
	return false
}

// name returns a name that nothing in the package has, in this build or another.
func (n *namer) name(function string, f *rewrite.File, call *ast.CallExpr) string {
	base := unexported(function) + "Regexp"
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name = fmt.Sprint(base, i)
		}
		if n.free(name) && f.Free(name, call.Pos()) && !f.Excluded(name) {
			n.taken[name] = true
			return name
		}
	}
}

// unexported returns a name with its first word in lower case. An initialism is one
// word: UGCPolicy becomes ugcPolicy.
func unexported(name string) string {
	letters := []rune(name)
	for i, r := range letters {
		startsNext := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) || startsNext {
			break
		}
		letters[i] = unicode.ToLower(r)
	}
	return string(letters)
}

// free reports whether neither the package nor an import of one of its files has a
// name, nor another fix.
func (n *namer) free(name string) bool {
	if n.taken[name] || n.pass.Pkg.Scope().Lookup(name) != nil {
		return false
	}
	for _, file := range n.pass.Files {
		if s := n.pass.TypesInfo.Scopes[file]; s != nil && s.Lookup(name) != nil {
			return false
		}
	}
	return true
}
