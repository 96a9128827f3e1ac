package formatting

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// guards write the branch around a call of a logger at a level that is mostly off.
var guards = map[string]func(*logging) (text string, edits []analysis.TextEdit, ok bool){
	"(*log/slog.Logger).Debug":              enabled("context.Background()"),
	"(*log/slog.Logger).DebugContext":       enabled(""),
	"log/slog.Debug":                        enabled("context.Background()"),
	"log/slog.DebugContext":                 enabled(""),
	"(*go.uber.org/zap.Logger).Debug":       checked,
	"(github.com/go-logr/logr.Logger).Info": verbose,
}

// logging is such a call in a statement of its own.
type logging struct {
	info   *types.Info
	file   *rewrite.File
	call   *ast.CallExpr
	indent string
}

// guardCall reports the call at c if values are made for it that nobody reads where its
// level is off.
func guardCall(pass *analysis.Pass, c inspector.Cursor) {
	call := c.Node().(*ast.CallExpr)
	write, ok := guards[rewrite.Callee(pass.TypesInfo, call)]
	if !ok || call.Ellipsis.IsValid() || c.ParentEdgeKind() != edge.ExprStmt_X || len(call.Args) == 0 {
		return
	}
	made := false
	for _, arg := range call.Args {
		if !quiet(pass.TypesInfo, arg) {
			return
		}
		made = made || pass.TypesInfo.Types[arg].Value == nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !made || !ok || within(c) {
		return
	}
	switch fn, _ := pass.TypesInfo.Uses[sel.Sel].(*types.Func); {
	case fn.Name() == "Info":
		ok = isVerbosity(pass.TypesInfo, sel.X)
	case fn.Signature().Recv() != nil:
		ok = quiet(pass.TypesInfo, sel.X)
	}
	if !ok {
		return
	}
	pass.Report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(), Category: rewrite.Sometimes,
		Message:        "the values are boxed even where the level is off: ask whether it is on",
		SuggestedFixes: ask(pass, c, write),
	})
}

// ask puts the call at c behind a question for the level.
func ask(
	pass *analysis.Pass, c inspector.Cursor, write func(*logging) (string, []analysis.TextEdit, bool),
) []analysis.SuggestedFix {
	f := rewrite.Of(pass).File(c)
	if f == nil || c.Parent().ParentEdgeKind() != edge.BlockStmt_List {
		return nil
	}
	_, indent, ok := f.Above(c.Node().Pos())
	if !ok {
		return nil
	}
	text, edits, ok := write(&logging{info: pass.TypesInfo, file: f, call: c.Node().(*ast.CallExpr), indent: indent})
	if !ok {
		return nil
	}
	return f.Fix("Ask for the level", append(edits, rewrite.Replace(c.Parent().Node(), text))...)
}

// within reports whether the call at c stands in a branch that asks for the level.
func within(c inspector.Cursor) bool {
	for p := range c.Enclosing((*ast.IfStmt)(nil)) {
		branch := p.Node().(*ast.IfStmt)
		for id := range p.Preorder((*ast.Ident)(nil)) {
			name := id.Node().(*ast.Ident).Name
			if id.Node().Pos() < branch.Body.Pos() && (name == "Enabled" || name == "Check") {
				return true
			}
		}
	}
	return false
}

// quiet reports whether evaluating an expression has no effect, and panics only for a nil
// pointer.
func quiet(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.SelectorExpr:
		s := info.Selections[e]
		return s == nil || s.Kind() == types.FieldVal && quiet(info, e.X)
	case *ast.BinaryExpr:
		return e.Op != token.QUO && e.Op != token.REM && quiet(info, e.X) && quiet(info, e.Y)
	case *ast.CallExpr:
		name := rewrite.Callee(info, e)
		if !strings.HasPrefix(name, "go.uber.org/zap.") && !strings.HasPrefix(name, "log/slog.") &&
			!rewrite.IsBuiltin(info, e, "len") && !info.Types[e.Fun].IsType() {
			return false
		}
		for _, arg := range e.Args {
			if !quiet(info, arg) {
				return false
			}
		}
		return true
	}
	return info.Types[e].Value != nil
}

// enabled asks a logger of slog. The context is the call's first argument if none is given.
func enabled(ctx string) func(*logging) (string, []analysis.TextEdit, bool) {
	return func(g *logging) (string, []analysis.TextEdit, bool) {
		slog, edits, ok := g.file.Import("log/slog", g.call.Pos())
		if !ok {
			return "", nil, false
		}
		given := ctx
		if given == "" {
			given = g.file.Text(g.call.Args[0])
		} else if qualifier, more, ok := g.file.Import("context", g.call.Pos()); ok {
			given, edits = qualifier+"Background()", append(edits, more...)
		} else {
			return "", nil, false
		}
		sel := ast.Unparen(g.call.Fun).(*ast.SelectorExpr)
		logger := g.file.Text(sel.X)
		if g.info.Selections[sel] == nil { // the package's function
			logger = slog + "Default()"
		}
		return g.branch("if "+logger+".Enabled("+given+", "+slog+"LevelDebug)", g.file.Text(g.call)), edits, true
	}
}

// checked asks a zap.Logger by its Check, which Write completes.
func checked(g *logging) (string, []analysis.TextEdit, bool) {
	zap, edits, ok := g.file.Import("go.uber.org/zap", g.call.Pos())
	if !ok || len(g.call.Args) < 2 || !g.file.Free("ce", g.call.Pos()) {
		return "", nil, false
	}
	logger := g.file.Text(ast.Unparen(g.call.Fun).(*ast.SelectorExpr).X)
	var fields []string
	for _, arg := range g.call.Args[1:] {
		fields = append(fields, g.file.Text(arg))
	}
	asked := "if ce := " + logger + ".Check(" + zap + "DebugLevel, " + g.file.Text(g.call.Args[0]) + "); ce != nil"
	return g.branch(asked, "ce.Write("+strings.Join(fields, ", ")+")"), edits, true
}

// isVerbosity reports whether an expression is logger.V(level) of logr.
func isVerbosity(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || rewrite.Callee(info, call) != "(github.com/go-logr/logr.Logger).V" || len(call.Args) != 1 {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && quiet(info, sel.X) && quiet(info, call.Args[0])
}

// verbose asks a logr.Logger of a level.
func verbose(g *logging) (string, []analysis.TextEdit, bool) {
	sel := ast.Unparen(g.call.Fun).(*ast.SelectorExpr)
	if !isVerbosity(g.info, sel.X) || !g.file.Free("verbose", g.call.Pos()) {
		return "", nil, false
	}
	var args []string
	for _, arg := range g.call.Args {
		args = append(args, g.file.Text(arg))
	}
	asked := "if verbose := " + g.file.Text(sel.X) + "; verbose.Enabled()"
	return g.branch(asked, "verbose.Info("+strings.Join(args, ", ")+")"), nil, true
}

func (g *logging) branch(condition, then string) string {
	return condition + " {\n" + g.indent + "\t" + then + "\n" + g.indent + "}"
}
