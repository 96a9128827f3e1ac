// Package formatting finds calls of fmt.Sprintf that strconv or the value itself
// replaces.
package formatting

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/modernize"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report fmt.Sprintf and fmt.Sprint of plain numbers, booleans and strings

fmt boxes its arguments in interfaces and interprets the format at run time. For a
single value without width or flags a function of strconv gives the same text:

	fmt.Sprintf("%d", n)  →  strconv.Itoa(n)
	fmt.Sprint(ok)        →  strconv.FormatBool(ok)
	fmt.Sprintf("%s", s)  →  s

Text between several values is concatenated, and bytes take no way by a string:

	fmt.Sprintf("%s:%d", host, port)  →  host + ":" + strconv.Itoa(port)
	[]byte(fmt.Sprintf("%x", sum))    →  fmt.Appendf(nil, "%x", sum)

In lines that cost something in a profile, text that is only written is printed instead:

	b.WriteString(fmt.Sprintf("%6d", n))  →  fmt.Fprintf(&b, "%6d", n)

Texts of errors that wrap no other need no fmt there, either. Where most of the values are
numbers, the text is appended to an array on the stack:

	fmt.Errorf("no %s in %s", a, b)  →  errors.New("no " + a + " in " + b)
	fmt.Errorf("no user %d", id)     →  text := make([]byte, 0, 32)
	                                    text = append(text, "no user "...)
	                                    text = strconv.AppendInt(text, int64(id), 10)
	                                    errors.New(string(text))

There, a string that a value of type any may hold is not copied:

	return fmt.Sprint(v)  →  if s, ok := v.(string); ok {
	                         	return s
	                         }
	                         return fmt.Sprint(v)

In such lines a call of a logger at a level that is mostly off is put behind a question:

	logger.Debug("sent", "bytes", n)  →  if logger.Enabled(context.Background(), slog.LevelDebug) {
	                                     	logger.Debug("sent", "bytes", n)
	                                     }

That covers Debug of log/slog and zap, and V of logr.

The check covers %d of integers, %s of strings, %t of booleans, and %v and Sprint of all
three. Floating-point numbers are left out: fmt and strconv choose the
exponent by different rules. So is a part of a string, such as s[:8]: its copy lets
s be collected. The preconditions of the fix:

  - the type of the argument is predeclared and so has no String, Error or Format
    method, which fmt would call;
  - a value that becomes an operand is a local variable or the result of a call, or the
    statement makes no other call that could change it before it is read;
  - text is written to a *bytes.Buffer, *bufio.Writer or *strings.Builder, with the Write
    of any writer, or with io.WriteString, for which a writer's WriteString, if any, does
    the same as its Write;
  - the arguments of a logger are constants, variables, fields, and fields of zap or
    attributes of slog made of these: evaluating them has no effect;
  - bytes that may be empty are not made nil;
  - strconv and the conversion's type mean the package and the predeclared type,
    or strconv can be imported.`

// Analyzer finds fmt calls that format basic values without flags.
var Analyzer = &analysis.Analyzer{
	Name:     "formatting",
	Doc:      doc,
	Requires: rewrite.Requires(modernize.FmtAppendfAnalyzer),
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	asBytes, err := rewrite.Borrow(pass, modernize.FmtAppendfAnalyzer)
	if err != nil {
		return nil, err
	}
	var names rewrite.Names
	for c, call := range rewrite.Nodes[*ast.CallExpr](pass) {
		arg, basic, to, ok := single(pass.TypesInfo, call)
		if ok {
			pass.Report(analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(),
				Message:        "fmt boxes one " + basic.Name() + " and interprets a format: use " + to.name(),
				SuggestedFixes: fix(pass, c, arg, to),
			})
		} else if parts, values := joined(pass.TypesInfo, call); len(values) == 0 && written(pass, c) {
			continue
		} else if i := slices.IndexFunc(asBytes, func(d analysis.Diagnostic) bool {
			return d.Pos < call.Pos() && call.End() < d.End
		}); i >= 0 {
			d := asBytes[i]
			d.Message = "fmt makes a string, which is copied to bytes: use fmt.Append"
			pass.Report(d)
		} else if len(values) > 0 {
			pass.Report(analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(),
				Message:        "fmt boxes the values and interprets a format: concatenate the text",
				SuggestedFixes: join(pass, c, parts, values),
			})
		} else if !madeError(pass, c, &names) && !held(pass, c, &names) {
			guardCall(pass, c)
		}
	}
	return nil, nil
}

// Formats reports whether a call is one of those that the check reports.
func Formats(info *types.Info, call *ast.CallExpr) bool {
	_, _, _, ok := single(info, call)
	_, values := joined(info, call)
	return ok || len(values) > 0
}

// single returns the only value that a call formats, its type and the replacement.
func single(info *types.Info, call *ast.CallExpr) (arg ast.Expr, basic *types.Basic, to text, ok bool) {
	arg, verb := formatted(info, call)
	if arg == nil || info.Types[arg].Value != nil {
		return nil, nil, text{}, false
	}
	basic, ok = types.Unalias(info.TypeOf(arg)).(*types.Basic)
	if ok {
		to, ok = replacement(basic, verb)
	}
	if _, part := ast.Unparen(arg).(*ast.SliceExpr); part {
		return nil, nil, text{}, false
	}
	return arg, basic, to, ok
}

// formatted returns the only argument that a call formats, and the verb.
func formatted(info *types.Info, call *ast.CallExpr) (ast.Expr, string) {
	if call.Ellipsis.IsValid() {
		return nil, ""
	}
	switch rewrite.Callee(info, call) {
	case "fmt.Sprint":
		if len(call.Args) == 1 {
			return call.Args[0], "%v"
		}
	case "fmt.Sprintf":
		if len(call.Args) == 2 {
			if format := info.Types[call.Args[0]].Value; format != nil && format.Kind() == constant.String {
				return call.Args[1], constant.StringVal(format)
			}
		}
	}
	return nil, ""
}

// text is an expression that gives the text of a value: a function of strconv,
// the type that it takes, and the rest of its arguments. The zero text is the
// value itself.
type text struct{ function, convert, rest string }

func (t text) name() string {
	if t.function == "" {
		return "the string itself"
	}
	return "strconv." + t.function
}

func replacement(basic *types.Basic, verb string) (text, bool) {
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		return text{}, verb == "%s" || verb == "%v"
	case info&types.IsBoolean != 0:
		return text{function: "FormatBool"}, verb == "%t" || verb == "%v"
	case info&types.IsInteger == 0 || verb != "%d" && verb != "%v":
		return text{}, false
	}
	switch basic.Kind() {
	case types.Int:
		return text{function: "Itoa"}, true
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return text{"Itoa", "int", ""}, true
	case types.Int64:
		return text{"FormatInt", "", ", 10"}, true
	case types.Uint64:
		return text{"FormatUint", "", ", 10"}, true
	case types.Uint, types.Uint32, types.Uintptr:
		return text{"FormatUint", "uint64", ", 10"}, true
	}
	return text{}, false
}

func fix(pass *analysis.Pass, c inspector.Cursor, arg ast.Expr, to text) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	if f == nil {
		return nil
	}
	switch parent := c.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
		return nil // the value itself is no statement
	case *ast.AssignStmt:
		for i, right := range parent.Rhs {
			if right == c.Node() && i < len(parent.Lhs) && f.Text(parent.Lhs[i]) == f.Text(arg) {
				return nil // s = s
			}
		}
	}
	const message = "Format without fmt"
	value := f.Text(arg)
	if to.function == "" {
		if !rewrite.Of(pass).Replaces(c, arg) {
			return nil
		}
		// Only a name or a call binds as tightly as the call that it replaces.
		switch ast.Unparen(arg).(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr:
		default:
			value = "(" + value + ")"
		}
		return f.Fix(message, rewrite.Replace(c.Node(), value))
	}
	strconv, edits, ok := f.Import("strconv", c.Node().Pos())
	if !ok || !to.converts(f, c.Node().Pos()) {
		return nil
	}
	return f.Fix(message, append(edits, rewrite.Replace(c.Node(), to.of(value, strconv)))...)
}

// converts reports whether the type that the text converts to, if any, has its usual
// meaning at pos.
func (t text) converts(f *rewrite.File, pos token.Pos) bool {
	return t.convert == "" || f.Universe(t.convert, pos)
}

// of returns the expression for a value that is not itself the text.
func (t text) of(value, strconv string) string {
	if t.convert != "" {
		value = t.convert + "(" + value + ")"
	}
	return strconv + t.function + "(" + value + t.rest + ")"
}
