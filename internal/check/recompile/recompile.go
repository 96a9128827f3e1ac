// Package recompile finds constant patterns, templates and other values that are compiled
// or loaded again and again.
package recompile

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report constant patterns, templates, replacers and time zones that a function makes

Each call makes them again, which allocates thousands of bytes; time.LoadLocation reads
files. A variable of the package is made once:

	func isName(s string) bool {
		return regexp.MustCompile("^[a-z]+$").MatchString(s)
	}

becomes

	var isNameRegexp = regexp.MustCompile("^[a-z]+$")

	func isName(s string) bool {
		return isNameRegexp.MatchString(s)
	}

A value that comes with an error, and a template, is made at its first use, by
sync.OnceValues.

The check is silent where the code runs once: in init, in main outside of loops, in
functions for sync.Once or sync.OnceValue, where a variable of the package gets the
result, and in tests. The preconditions of the fix:

  - a pattern compiles and a replacer has pairs, so that nothing panics earlier than
    before;
  - the arguments mean the same outside of the function;
  - no method that leads to the function is called while the variables of the package
    above it are initialized: Go orders them without regard to calls by way of
    interfaces;
  - no method Longest of patterns is called in the package, which would change the one
    value that all calls share;
  - template.Must checks the template, and the function only executes it.`

// Analyzer finds constants that are compiled in functions.
var Analyzer = &analysis.Analyzer{
	Name:     "recompile",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer},
	Run:      run,
}

// product is what a call makes of constants.
type product struct {
	what   string // what the call does, for messages
	suffix string // the end of the variable's name
	typ    string // the type without its package, if the value comes with an error
}

func run(pass *analysis.Pass) (any, error) {
	hoister, changes := rewrite.NewHoister(pass), longest(pass)
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		m, ok := makes(pass.TypesInfo, call)
		if !ok || rewrite.Once(pass, c) {
			continue
		}
		d := analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(),
			Message: "each call " + m.what + ": do it once, in a variable of the package",
		}
		if m.suffix != regexpSuffix || !changes {
			d.SuggestedFixes = fix(pass, hoister, c, m)
		}
		pass.Report(d)
	}
	return nil, nil
}

const regexpSuffix = "Regexp"

// makes reports whether a call makes a value of constants alone.
func makes(info *types.Info, call *ast.CallExpr) (product, bool) {
	for _, arg := range call.Args {
		if info.Types[arg].Value == nil {
			return product{}, false
		}
	}
	switch rewrite.Callee(info, call) {
	case "regexp.MustCompile", "regexp.MustCompilePOSIX":
		return product{what: "compiles the constant pattern", suffix: regexpSuffix}, true
	case "regexp.Compile", "regexp.CompilePOSIX":
		return product{what: "compiles the constant pattern", suffix: regexpSuffix, typ: "Regexp"}, true
	case "strings.NewReplacer":
		return product{what: "builds the constant replacer", suffix: "Replacer"}, len(call.Args) > 0
	case "time.LoadLocation":
		location := product{what: "loads the same time zone", suffix: "Location", typ: "Location"}
		return location, !quick(info, call.Args[0])
	case "(*text/template.Template).Parse", "(*html/template.Template).Parse":
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return product{what: "compiles the constant template", suffix: "Template"}, ok && fresh(info, sel.X)
	}
	return product{}, false
}

// quick reports whether a time zone is had without reading a file.
func quick(info *types.Info, name ast.Expr) bool {
	switch constant.StringVal(info.Types[name].Value) {
	case "", "UTC", "Local":
		return true
	}
	return false
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

// longest reports whether a package calls a method Longest.
func longest(pass *analysis.Pass) bool {
	for c := range rewrite.Files(pass).Preorder((*ast.SelectorExpr)(nil)) {
		if c.Node().(*ast.SelectorExpr).Sel.Name == "Longest" {
			return true
		}
	}
	return false
}

// fix moves the call at c to a variable above its function.
func fix(pass *analysis.Pass, hoister *rewrite.Hoister, c inspector.Cursor, m product) []analysis.SuggestedFix {
	call := c.Node().(*ast.CallExpr)
	if !succeeds(pass.TypesInfo, call) {
		return nil
	}
	if m.suffix == "Template" {
		if c = checked(pass, c); !c.Valid() {
			return nil
		}
		m.typ, call = "Template", c.Node().(*ast.CallExpr)
	}
	place, ok := hoister.Above(c)
	if !ok || !place.Means(call) {
		return nil
	}
	file := rewrite.Of(pass).File(c)
	value, use := file.Text(call), ""
	var edits []analysis.TextEdit
	if m.typ != "" {
		if !file.AtLeast("go1.21") {
			return nil
		}
		var sync string
		if sync, edits, ok = place.Import("sync"); !ok {
			return nil
		}
		of, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		once, results := "OnceValues", "(*"+file.Text(of.X)+"."+m.typ+", error)"
		if m.suffix == "Template" {
			once, results = "OnceValue", "*"+file.Text(of.X)+"."+m.typ
		}
		value, use = sync+once+"(func() "+results+" {\n\treturn "+value+"\n})", "()"
	}
	name, declared := place.Declare(m.suffix, value, call)
	return file.Fix("Do it once", append(edits, declared, rewrite.Replace(call, name+use))...)
}

// succeeds reports whether a call that may panic is known not to.
func succeeds(info *types.Info, call *ast.CallExpr) bool {
	var err error
	switch rewrite.Callee(info, call) {
	case "regexp.MustCompile":
		_, err = regexp.Compile(constant.StringVal(info.Types[call.Args[0]].Value))
	case "regexp.MustCompilePOSIX":
		_, err = regexp.CompilePOSIX(constant.StringVal(info.Types[call.Args[0]].Value))
	case "strings.NewReplacer":
		return len(call.Args)%2 == 0
	}
	return err == nil
}

// checked returns the call of template.Must around the template that the call at c makes,
// if the function does nothing with it but execute it. Other methods change the template,
// which all calls are to share.
func checked(pass *analysis.Pass, c inspector.Cursor) (none inspector.Cursor) {
	source := rewrite.Of(pass)
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return none
	}
	must := c.Parent()
	switch rewrite.Callee(pass.TypesInfo, must.Node().(*ast.CallExpr)) {
	case "text/template.Must", "html/template.Must":
	default:
		return none
	}
	if executes(must) {
		return must
	}
	assign, ok := must.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 {
		return none
	}
	fn, v := rewrite.Function(c), rewrite.Variable(pass.TypesInfo, assign.Lhs[0])
	if !source.Local(fn, v) {
		return none
	}
	for _, id := range source.Mentions(fn, v) {
		if id.Node() != assign.Lhs[0] && !executes(id) {
			return none
		}
	}
	return must
}

// executes reports whether the template at c is executed right there.
func executes(c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.SelectorExpr_X {
		return false
	}
	sel := c.Parent()
	name := sel.Node().(*ast.SelectorExpr).Sel.Name
	return sel.ParentEdgeKind() == edge.CallExpr_Fun && (name == "Execute" || name == "ExecuteTemplate")
}
