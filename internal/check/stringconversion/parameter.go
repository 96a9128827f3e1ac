package stringconversion

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// textParameter is a string that a function of the package only reads, byte by byte or as the
// key of a look-up, and for which all calls have bytes, or make the text for the call.
type textParameter struct {
	pass *analysis.Pass
	file *rewrite.File
	// edits change the declaration, the function and the calls.
	edits []analysis.TextEdit
	made  []madeText
}

// madeText is a text that exists for one call: converted from bytes, or joined from others.
type madeText struct {
	expr   ast.Expr
	joined bool
}

// reportParameters reports the texts that callers make for functions that could take bytes.
func reportParameters(pass *analysis.Pass) {
	info := pass.TypesInfo
	var uses map[types.Object][]inspector.Cursor
	for c, decl := range rewrite.Nodes[*ast.FuncDecl](pass) {
		fn, _ := info.Defs[decl.Name].(*types.Func)
		if fn == nil || decl.Body == nil || fn.Exported() || generic(fn) || named(decl) {
			continue
		}
		for i := range fn.Signature().Params().Len() {
			v := fn.Signature().Params().At(i)
			if v.Type() != types.Typ[types.String] || fn.Signature().Variadic() {
				continue
			}
			p := textParameter{pass: pass, file: rewrite.Of(pass).File(c)}
			if p.file == nil || !p.declared(decl, v) || !p.onlyRead(c, v) {
				continue
			}
			if uses == nil {
				uses = usesOfFunctions(pass)
			}
			if !p.calls(uses[fn], i) || satisfies(pass, fn) || rewrite.MentionedElsewhere(pass, fn.Name()) {
				continue
			}
			p.report(fn)
		}
	}
}

// generic reports whether a function or its receiver has type parameters.
func generic(fn *types.Func) bool {
	return fn.Signature().TypeParams() != nil || fn.Signature().RecvTypeParams() != nil
}

// named reports whether a directive gives a function another name, by which unknown code may
// call it.
func named(decl *ast.FuncDecl) bool {
	if decl.Doc == nil {
		return false
	}
	return slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:linkname") || strings.HasPrefix(c.Text, "//export")
	})
}

func usesOfFunctions(pass *analysis.Pass) map[types.Object][]inspector.Cursor {
	all := map[types.Object][]inspector.Cursor{}
	for c, id := range rewrite.Nodes[*ast.Ident](pass) {
		if fn, ok := pass.TypesInfo.Uses[id].(*types.Func); ok {
			all[fn] = append(all[fn], c)
		}
	}
	return all
}

// satisfies reports whether an interface of the package has a method of the function's name.
func satisfies(pass *analysis.Pass, fn *types.Func) bool {
	if fn.Signature().Recv() == nil {
		return false
	}
	for _, n := range rewrite.Nodes[*ast.InterfaceType](pass) {
		if i, ok := pass.TypesInfo.TypeOf(n).(*types.Interface); ok {
			for method := range i.Methods() {
				if method.Name() == fn.Name() {
					return true
				}
			}
		}
	}
	return false
}

// declared reports whether a parameter has a field of the declaration for itself, and changes
// its type.
func (p *textParameter) declared(decl *ast.FuncDecl, v *types.Var) bool {
	for _, field := range decl.Type.Params.List {
		for _, name := range field.Names {
			if p.pass.TypesInfo.Defs[name] == v {
				p.edits = append(p.edits, rewrite.Replace(field.Type, "[]byte"))
				return len(field.Names) == 1 && p.file.Universe("byte", field.Type.Pos())
			}
		}
	}
	return false
}

// onlyRead reports whether a function reads nothing of its parameter but the length, bytes,
// and the whole as the key of a look-up or for a comparison, for all of which the compiler
// copies nothing. The function changes nothing and calls none that could change the bytes.
func (p *textParameter) onlyRead(fn inspector.Cursor, v *types.Var) bool {
	source, info := rewrite.Of(p.pass), p.pass.TypesInfo
	if !source.Local(fn, v) {
		return false
	}
	body := fn.ChildAt(edge.FuncDecl_Body, -1)
	if !source.Quiet(body, nil) {
		return false
	}
	read := false
	for _, id := range source.Mentions(body, v) {
		read = true
		whole := rewrite.Replace(id.Node(), "string("+v.Name()+")")
		switch parent := id.Parent().Node().(type) {
		case *ast.CallExpr: // a method of the name is no builtin
			if !rewrite.IsBuiltin(info, parent, "len") {
				return false
			}
		case *ast.IndexExpr:
			switch {
			case parent.X == id.Node():
			case looksUp(info, id.Parent()):
				p.edits = append(p.edits, whole)
			default:
				return false
			}
		case *ast.BinaryExpr:
			if parent.Op != token.EQL && parent.Op != token.NEQ {
				return false
			}
			p.edits = append(p.edits, whole)
		default:
			return false
		}
		if id.Parent().Node() != nil && !p.file.Universe("string", id.Node().Pos()) {
			return false
		}
	}
	return read
}

// looksUp reports whether the expression at c reads the value of a map with string keys.
func looksUp(info *types.Info, c inspector.Cursor) bool {
	m, ok := info.TypeOf(c.Node().(*ast.IndexExpr).X).Underlying().(*types.Map)
	if !ok || !types.Identical(m.Key(), types.Typ[types.String]) {
		return false
	}
	switch c.ParentEdgeKind() {
	case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
		return false
	}
	return true
}

// calls reports whether all mentions of the function are calls that make the text of the
// argument, and changes these.
func (p *textParameter) calls(uses []inspector.Cursor, index int) bool {
	for _, c := range uses {
		fun := c
		if c.ParentEdgeKind() == edge.SelectorExpr_Sel {
			fun = c.Parent()
		}
		call, ok := fun.Parent().Node().(*ast.CallExpr)
		if !ok || fun.ParentEdgeKind() != edge.CallExpr_Fun || len(call.Args) <= index || call.Ellipsis.IsValid() ||
			rewrite.Of(p.pass).File(c) != p.file {
			return false
		}
		switch fun.Parent().ParentEdgeKind() {
		case edge.GoStmt_Call, edge.DeferStmt_Call:
			return false
		}
		if !p.argument(fun.Parent().ChildAt(edge.CallExpr_Args, index)) {
			return false
		}
	}
	return len(p.made) > 0
}

// argument hands bytes to a call instead of the text at c. The call reads the bytes later than
// the text was made, so nothing may run between the two.
func (p *textParameter) argument(c inspector.Cursor) bool {
	source, info, arg := rewrite.Of(p.pass), p.pass.TypesInfo, c.Node().(ast.Expr)
	if !source.Alone(c) {
		return false
	}
	if text := converted(info, arg); text != nil && p.isBytes(text) && rewrite.Pure(info, text) {
		p.take(arg, p.file.Text(text), false)
		return true
	}
	// The text may have a variable, if the call is in the next statement.
	v, fn := rewrite.Variable(info, arg), rewrite.Function(c)
	if v == nil || !source.Local(fn, v) || v.Type() != types.Typ[types.String] {
		return false
	}
	uses := source.Mentions(fn, v)
	if len(uses) != 2 || info.Defs[uses[0].Node().(*ast.Ident)] != v {
		return false
	}
	define := uses[0].Parent()
	assign, ok := define.Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || define.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	next, ok := define.NextSibling()
	if !ok || !next.Contains(c) || !beginsWith(next, c) {
		return false
	}
	if text := converted(info, assign.Rhs[0]); text != nil && p.isBytes(text) && rewrite.Pure(info, text) {
		p.take(assign.Rhs[0], p.file.Text(text), false)
		return true
	}
	return p.join(assign, v.Name())
}

// beginsWith reports whether a statement evaluates the expression at c before anything else
// but the other operands of the expression around: not behind a condition, in a loop or in a
// function that it makes.
func beginsWith(stmt, c inspector.Cursor) bool {
	switch s := stmt.Node().(type) {
	case *ast.IfStmt:
		if s.Init != nil {
			return false
		}
	case *ast.SwitchStmt:
		if s.Init != nil {
			return false
		}
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt:
	default:
		return false
	}
	later := []ast.Node{(*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.IfStmt)(nil), (*ast.FuncLit)(nil)}
	for around := range c.Enclosing(later...) {
		if around != stmt && stmt.Contains(around) {
			return false
		}
	}
	return true
}

// isBytes reports whether an expression is of type []byte.
func (p *textParameter) isBytes(e ast.Expr) bool {
	return types.Identical(p.pass.TypesInfo.TypeOf(e), types.NewSlice(types.Typ[types.Byte]))
}

func (p *textParameter) take(expr ast.Expr, text string, joined bool) {
	p.edits = append(p.edits, rewrite.Replace(expr, text))
	p.made = append(p.made, madeText{expr, joined})
}

const (
	// room is the size in bytes of the arrays on the stack for joined texts: paths and keys
	// seldom are longer, and if they are, append moves them to the heap.
	room = 128
	// fewParts is the number of parts up to which the statements are easy to read.
	fewParts = 8
)

// join appends the parts of a concatenation to an array on the stack.
func (p *textParameter) join(assign *ast.AssignStmt, name string) bool {
	var parts []ast.Expr
	if !p.operands(assign.Rhs[0], &parts) || len(parts) < 2 || len(parts) > fewParts {
		return false
	}
	_, indent, alone := p.file.Above(assign.Pos())
	pos := assign.Pos()
	if !alone || !p.file.Universe("append", pos) || !p.file.Universe("make", pos) || !p.file.Universe("byte", pos) {
		return false
	}
	text := "make([]byte, 0, " + strconv.Itoa(room) + ")"
	for _, part := range parts {
		if hides(part, name) {
			return false
		}
		text += "\n" + indent + name + " = append(" + name + ", " + p.file.Text(part) + "...)"
	}
	p.take(assign.Rhs[0], text, true)
	return true
}

// hides reports whether a variable of a name would hide another in an expression.
func hides(e ast.Expr, name string) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// operands adds the operands of a sum of strings. It reports false if one of them does more
// than read, or may panic, or is no string.
func (p *textParameter) operands(e ast.Expr, all *[]ast.Expr) bool {
	info := p.pass.TypesInfo
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && sum.Op == token.ADD && info.Types[e].Value == nil {
		return p.operands(sum.X, all) && p.operands(sum.Y, all)
	}
	*all = append(*all, ast.Unparen(e))
	if info.Types[e].Value != nil {
		_, literal := ast.Unparen(e).(*ast.BasicLit)
		return literal
	}
	text := types.Identical(info.TypeOf(e), types.Typ[types.String])
	return text && rewrite.Pure(info, e) && !rewrite.Panics(info, e)
}

func (p *textParameter) report(fn *types.Func) {
	for i, m := range p.made {
		d := analysis.Diagnostic{
			Pos: m.expr.Pos(), End: m.expr.End(), Category: rewrite.Sometimes,
			Message: "the conversion copies the text for " + fn.Name() + ", which only reads it: let it take bytes",
		}
		if m.joined {
			d.Message = "the text is joined for " + fn.Name() +
				", which only reads it: let it take bytes from the stack"
		}
		for j, other := range p.made {
			if i != j {
				d.Related = append(d.Related, analysis.RelatedInformation{
					Pos: other.expr.Pos(), End: other.expr.End(), Message: "made for it here, too",
				})
			}
		}
		d.SuggestedFixes = p.file.Fix("Take bytes", p.edits...)
		p.pass.Report(d)
	}
}
