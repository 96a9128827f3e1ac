package appendwithoutroom

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// built reports strings.Builders and bytes.Buffers that a loop fills with texts whose
// lengths are known before it. Only a profile knows whether the builder grows much.
func (s *search) built(c inspector.Cursor, count rewrite.Count) {
	seen := map[*types.Var]bool{}
	for id := range c.Preorder((*ast.Ident)(nil)) {
		v, ok := s.pass.TypesInfo.Uses[id.Node().(*ast.Ident)].(*types.Var)
		if !ok || seen[v] {
			continue
		}
		seen[v] = true
		if isBuilder(v) && s.ungrown(c, v) {
			s.builder(c, count, v)
		}
	}
}

func isBuilder(v *types.Var) bool {
	name := v.Type().String()
	return name == "strings.Builder" || name == "bytes.Buffer"
}

// methods are a builder's, as far as fixes know them. A nil buffer shows only in others.
var methods = map[string]bool{
	"Write": true, "WriteString": true, "WriteByte": true, "WriteRune": true, "String": true, "Len": true,
}

// ungrown reports whether a builder is declared in the statements before the loop, in the
// same list, and known.
func (s *search) ungrown(c inspector.Cursor, v *types.Var) bool {
	if _, labeled := c.Parent().Node().(*ast.LabeledStmt); labeled {
		c = c.Parent()
	}
	if _, ok := s.source.Declaration(c, v); !ok {
		return false
	}
	return s.known(c, v)
}

// known reports whether only the function around c uses a builder, by methods that are
// known.
func (s *search) known(c inspector.Cursor, v *types.Var) bool {
	fn := rewrite.Function(c)
	for _, id := range s.source.Mentions(fn, v) {
		if s.pass.TypesInfo.Defs[id.Node().(*ast.Ident)] == v {
			continue
		}
		sel, ok := id.Parent().Node().(*ast.SelectorExpr)
		if !ok || !methods[sel.Sel.Name] || rewrite.Function(id).Node() != fn.Node() {
			return false
		}
	}
	return true
}

func (s *search) builder(c inspector.Cursor, count rewrite.Count, v *types.Var) {
	w := &writes{info: s.pass.TypesInfo, v: v}
	counts := &counting{source: s.source, file: s.source.File(c), loop: c, name: "n", harmless: w.is}
	counts.added = func(stmt ast.Stmt) (*sum, bool) { return w.sum(stmt) }
	counts.touches = func(stmt ast.Stmt) bool { return mentions(s.pass.TypesInfo, stmt, v) }
	if counts.file == nil || !s.countable(c) || rewrite.Leaves(bodyOf(c.Node())) {
		return
	}
	text, ok := counts.loopText()
	if len(w.calls) == 0 || len(s.source.Mentions(c, v)) != len(w.calls) {
		return
	}
	var fix []analysis.SuggestedFix
	if ok && text != "" {
		fix = s.countFirst(counts, place{info: s.pass.TypesInfo, v: v}, "")
	} else if fix = s.growByEach(counts, count, v); fix == nil {
		return
	}
	report(s.pass, w.calls, "the loop grows "+v.Name()+" to a length that is known before it: call Grow", fix)
}

// growByEach makes room for the same number of bytes from each iteration.
func (s *search) growByEach(c *counting, count rewrite.Count, v *types.Var) []analysis.SuggestedFix {
	all := &sum{}
	for _, stmt := range bodyOf(c.loop.Node()).List {
		more, ok := c.added(stmt)
		if !ok {
			return nil
		}
		if more != nil {
			all.add(more)
		}
	}
	c.reads = all.lengths
	pos := rewrite.WithLabel(c.loop).Node().Pos()
	above, indent, alone := c.file.Above(pos)
	n, ok := c.file.Length(count, pos)
	each := all.text(c.file)
	if !ok || !alone || each == "" || !c.repeatable() || c.ofIteration() || !c.file.Universe("len", pos) {
		return nil
	}
	switch {
	case each == "1":
		each = n
	case len(all.lengths) == 0:
		each = times(each, n)
	default:
		each = times(n, each)
	}
	return c.file.Fix("Grow once", rewrite.Insert(above, indent+v.Name()+".Grow("+each+")\n"))
}

// ofIteration reports whether a read mentions a variable of the loop.
func (c *counting) ofIteration() bool {
	loop := c.loop.Node()
	for _, read := range c.reads {
		found := false
		ast.Inspect(read, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok {
				obj := c.source.Info.Uses[id]
				found = found || obj != nil && loop.Pos() <= obj.Pos() && obj.Pos() < loop.End()
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// writes adds up what calls write to a builder.
type writes struct {
	info  *types.Info
	v     *types.Var
	calls []*ast.CallExpr
	found map[*ast.CallExpr]bool
}

// sum returns what a statement writes: a call that does, or a branch of which the texts
// are constant. What a branch skips is little room too much.
func (w *writes) sum(stmt ast.Stmt) (*sum, bool) {
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && w.is(call) {
			return w.written(call)
		}
	case *ast.IfStmt:
		if s.Else != nil || rewrite.Leaves(s.Body) || w.v.Type().String() == "bytes.Buffer" {
			return nil, true
		}
		all := &sum{}
		for _, stmt := range s.Body.List {
			more, ok := w.sum(stmt)
			if !ok || more == nil || len(more.lengths) > 0 {
				return nil, ok
			}
			all.add(more)
		}
		return all, true
	}
	return nil, true
}

// is reports whether a call writes to the builder.
func (w *writes) is(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && len(call.Args) == 1 && rewrite.Variable(w.info, sel.X) == w.v && sel.Sel.Name[:1] == "W"
}

// written returns the number of bytes that a call writes, or the least if that depends on
// a rune.
func (w *writes) written(call *ast.CallExpr) (*sum, bool) {
	all := &sum{}
	arg := call.Args[0]
	switch ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel.Name {
	case "WriteByte":
		all.constant = 1
	case "WriteRune":
		all.constant = 1
		if v := w.info.Types[arg].Value; v != nil {
			if r, exact := constant.Int64Val(constant.ToInt(v)); exact {
				all.constant = int64(max(1, utf8.RuneLen(rune(r))))
			}
		}
	default:
		if !w.length(all, arg) {
			return nil, false
		}
	}
	if !w.found[call] {
		if w.found == nil {
			w.found = map[*ast.CallExpr]bool{}
		}
		w.found[call] = true
		w.calls = append(w.calls, call)
	}
	return all, true
}

// length adds the length of a text.
func (w *writes) length(all *sum, e ast.Expr) bool {
	e = ast.Unparen(e)
	if v := w.info.Types[e].Value; v != nil {
		all.constant += int64(len(constant.StringVal(v)))
		return true
	}
	if text := converted(w.info, e); text != nil {
		return w.length(all, text)
	}
	if both, ok := e.(*ast.BinaryExpr); ok && both.Op == token.ADD {
		return w.length(all, both.X) && w.length(all, both.Y)
	}
	if !rewrite.Pure(w.info, e) {
		return false
	}
	all.lengths = append(all.lengths, e)
	return true
}

// converted returns the text that an expression converts between string and []byte, or nil.
func converted(info *types.Info, e ast.Expr) ast.Expr {
	call, ok := e.(*ast.CallExpr)
	if !ok || !info.Types[call.Fun].IsType() {
		return nil
	}
	t := info.TypeOf(call.Args[0])
	basic, ok := t.Underlying().(*types.Basic)
	if ok && basic.Info()&types.IsString != 0 || rewrite.IsBytes(t) {
		return call.Args[0]
	}
	return nil
}
