package formatting

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// part is a piece of a formatted text: a value, or literal text where there is none.
type part struct {
	literal string
	value   ast.Expr
	to      text
}

// joined returns the parts of a text that concatenation makes as well, and the values
// among them. There are none if the call formats in another way.
func joined(info *types.Info, call *ast.CallExpr) (parts []part, values []ast.Expr) {
	if rewrite.Callee(info, call) != "fmt.Sprintf" {
		return nil, nil
	}
	return pieces(info, call)
}

// pieces is joined for any call whose arguments are a format and its values.
func pieces(info *types.Info, call *ast.CallExpr) (parts []part, values []ast.Expr) {
	if call.Ellipsis.IsValid() || len(call.Args) < 2 {
		return nil, nil
	}
	format := info.Types[call.Args[0]].Value
	if format == nil || format.Kind() != constant.String || named(call.Args[0]) {
		return nil, nil
	}
	rest, values := constant.StringVal(format), call.Args[1:]
	literal := ""
	for next := 0; ; {
		before, after, found := strings.Cut(rest, "%")
		literal += before
		if !found {
			if next != len(values) || len(parts) == 1 && literal == "" {
				return nil, nil // one value alone is not for concatenation
			}
			return appendLiteral(parts, literal), values
		}
		if after == "" {
			return nil, nil
		}
		verb := after[:1]
		rest = after[1:]
		if verb == "%" {
			literal += verb
			continue
		}
		if next == len(values) {
			return nil, nil
		}
		value := values[next]
		basic, ok := types.Unalias(info.TypeOf(value)).(*types.Basic)
		_, slice := ast.Unparen(value).(*ast.SliceExpr) // a sum may keep the large text
		if !ok || slice || info.Types[value].Value != nil {
			return nil, nil
		}
		to, ok := replacement(basic, "%"+verb)
		if !ok {
			return nil, nil
		}
		parts = append(appendLiteral(parts, literal), part{value: value, to: to})
		literal, next = "", next+1
	}
}

// named reports whether an expression mentions a constant. Its text would stand in two
// places.
func named(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		_, is := n.(*ast.Ident)
		found = found || is
		return !found
	})
	return found
}

func appendLiteral(parts []part, literal string) []part {
	if literal == "" {
		return parts
	}
	return append(parts, part{literal: literal})
}

// quote returns a literal that needs no backslash where that is possible.
func quote(text string) string {
	if strings.ContainsAny(text, `"\`) && strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// join concatenates the parts instead of the call at c.
func join(pass *analysis.Pass, c inspector.Cursor, parts []part, values []ast.Expr) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	sum, edits, ok := concatenation(pass, c, parts, values)
	if !ok {
		return nil
	}
	switch parent := c.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return nil // a sum is no statement
	case *ast.CallExpr:
		if parent.Fun == c.Node() {
			return nil
		}
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.ValueSpec, *ast.KeyValueExpr, *ast.CompositeLit, *ast.ParenExpr:
	case *ast.IndexExpr:
		if parent.X == c.Node() {
			sum = "(" + sum + ")"
		}
	default:
		sum = "(" + sum + ")"
	}
	return f.Fix("Concatenate", append(edits, rewrite.Replace(c.Node(), sum))...)
}

// concatenation returns the sum of the parts, which the call at c formats, and the edits that
// import its packages. It reports false if the sum can be another text there.
func concatenation(
	pass *analysis.Pass, c inspector.Cursor, parts []part, values []ast.Expr,
) (sum string, edits []analysis.TextEdit, ok bool) {
	source := rewrite.Of(pass)
	f := source.File(c)
	if f == nil || !source.ReplacesAll(c, values) {
		return "", nil, false
	}
	qualifier := ""
	var operands []string
	for _, p := range parts {
		switch {
		case p.value == nil:
			operands = append(operands, quote(p.literal))
			continue
		case p.to.function == "":
			operands = append(operands, f.Text(p.value))
			continue
		case qualifier == "":
			if qualifier, edits, ok = f.Import("strconv", c.Node().Pos()); !ok {
				return "", nil, false
			}
		}
		if !p.to.converts(f, c.Node().Pos()) {
			return "", nil, false
		}
		operands = append(operands, p.to.of(f.Text(p.value), qualifier))
	}
	return strings.Join(operands, " + "), edits, true
}
