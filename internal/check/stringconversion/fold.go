package stringconversion

import (
	"go/ast"
	goconstant "go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// folds are functions that change the case of a text, with the ASCII letters that they
// change, and the results to which strings.EqualFold maps other runes: ToLower makes i of
// U+0130 but leaves U+017F, which folds to s; ToUpper makes I of U+0131 but leaves U+212A,
// which folds to K.
var folds = map[string]struct{ changed, unlike string }{
	"strings.ToLower": {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "is"},
	"strings.ToUpper": {"abcdefghijklmnopqrstuvwxyz", "IK"},
}

// reportFold reports a comparison of a text in another case with a constant.
func reportFold(pass *analysis.Pass, c inspector.Cursor) {
	compared := c.Node().(*ast.BinaryExpr)
	if compared.Op != token.EQL && compared.Op != token.NEQ {
		return
	}
	call, with := compared.X, compared.Y
	if pass.TypesInfo.Types[call].Value != nil {
		call, with = with, call
	}
	fold, ok := ast.Unparen(call).(*ast.CallExpr)
	value := pass.TypesInfo.Types[with].Value
	if !ok || len(fold.Args) != 1 || value == nil || value.Kind() != goconstant.String {
		return
	}
	f, ok := folds[rewrite.Callee(pass.TypesInfo, fold)]
	if !ok || !foldsAlike(goconstant.StringVal(value), f.changed+f.unlike) {
		return
	}
	pass.Report(analysis.Diagnostic{
		Pos: fold.Pos(), End: fold.End(), Category: rewrite.Sometimes,
		Message:        "the text is copied to be compared: strings.EqualFold compares it as it is",
		SuggestedFixes: fixFold(pass, c, fold, with),
	})
}

// foldsAlike reports whether a text is of ASCII, without some letters.
func foldsAlike(text, without string) bool {
	return text != "" && !strings.ContainsAny(text, without) &&
		!strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

func fixFold(pass *analysis.Pass, c inspector.Cursor, fold *ast.CallExpr, with ast.Expr) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	of, ok := ast.Unparen(fold.Fun).(*ast.SelectorExpr)
	isString := func(e ast.Expr) bool {
		return types.Identical(types.Default(pass.TypesInfo.TypeOf(e)), types.Typ[types.String])
	}
	if f == nil || !ok || !isString(fold.Args[0]) || !isString(with) {
		return nil
	}
	not := ""
	if c.Node().(*ast.BinaryExpr).Op == token.NEQ {
		not = "!"
	}
	return f.Fix("Use strings.EqualFold",
		rewrite.Replace(c.Node(), not+f.Text(of.X)+".EqualFold("+f.Text(fold.Args[0])+", "+f.Text(with)+")"))
}
