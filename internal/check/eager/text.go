package eager

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// makers make a text of their arguments and do nothing else. None panics.
var makers = map[string]bool{
	"fmt.Sprint": true, "fmt.Sprintf": true, "fmt.Sprintln": true,
	"path.Join": true, "path/filepath.Join": true, "net.JoinHostPort": true,
	"strconv.Itoa": true, "strconv.FormatUint": true, "strconv.Quote": true, "strconv.FormatBool": true,
	"strings.ToLower": true, "strings.ToUpper": true, "strings.Replace": true, "strings.ReplaceAll": true,
	"strings.Title": true, "strings.ToTitle": true, "strings.Clone": true,
	"html.EscapeString": true, "net/url.PathEscape": true, "net/url.QueryEscape": true,
}

// makesText reports whether an expression allocates a text and does nothing else.
func makesText(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD && info.Types[e].Value == nil && isString(info.TypeOf(e)) && plain(info, e)
	case *ast.CallExpr:
		return makers[rewrite.Callee(info, e)] && plain(info, e)
	}
	return false
}

// plain reports whether an expression consists of constants, variables, sums and calls of
// makers, all of basic types without methods.
func plain(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	if _, basic := types.Unalias(info.TypeOf(e)).(*types.Basic); !basic {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.BinaryExpr:
		return e.Op == token.ADD && plain(info, e.X) && plain(info, e.Y)
	case *ast.CallExpr:
		if !makers[rewrite.Callee(info, e)] || e.Ellipsis.IsValid() {
			return false
		}
		for _, arg := range e.Args {
			if !plain(info, arg) {
				return false
			}
		}
		return true
	}
	return false
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}
