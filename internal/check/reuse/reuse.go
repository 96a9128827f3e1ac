// Package reuse proves that memory which a function makes is dead when the function
// returns, and writes the change that takes the memory from a pool instead.
//
// The stance: every use of the memory has to be one that is known to end. A use that is
// not listed here keeps it.
package reuse

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Prover answers the questions of one pass. The analyzer has to require rewrite.Analyzer.
type Prover struct {
	Names     Names
	pass      *analysis.Pass
	info      *types.Info
	source    *rewrite.Source
	declared  map[*types.Func]inspector.Cursor
	followed  map[*types.Var]bool // variables whose uses were followed, or are about to be
	functions *functions          // nil until they are asked for
}

func newProver(pass *analysis.Pass) *Prover {
	p := &Prover{
		pass: pass, info: pass.TypesInfo, source: rewrite.Of(pass), declared: map[*types.Func]inspector.Cursor{},
		followed: map[*types.Var]bool{},
	}
	for c, decl := range rewrite.Nodes[*ast.FuncDecl](pass) {
		if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
			p.declared[fn] = c
		}
	}
	return p
}

// VariableDies reports whether nothing but local variables refers to the memory of v, a
// variable of the function fn, or to a part of it, when the function returns.
func (p *Prover) VariableDies(fn inspector.Cursor, v *types.Var) bool {
	clear(p.followed)
	return p.follow(fn, v)
}

// ValueDies reports the same of the value of the expression at c.
func (p *Prover) ValueDies(c inspector.Cursor) bool {
	clear(p.followed)
	return p.dies(c)
}

// follow follows all uses of a variable. In a cycle of variables, a use that keeps the
// memory is found where it stands.
func (p *Prover) follow(fn inspector.Cursor, v *types.Var) bool {
	if v == nil || p.followed[v] {
		return v != nil
	}
	p.followed[v] = true
	if !p.source.Local(fn, v) {
		return false
	}
	for _, id := range p.source.Mentions(fn, v) {
		if p.info.Defs[id.Node().(*ast.Ident)] == v || id.ParentEdgeKind() == edge.AssignStmt_Lhs {
			continue
		}
		if !p.dies(id) {
			return false
		}
	}
	return true
}

// dies reports whether the use of the memory at c ends before the function returns.
func (p *Prover) dies(c inspector.Cursor) bool {
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.ParenExpr_X, edge.TypeAssertExpr_X:
		return p.dies(parent)
	case edge.ExprStmt_X:
		return true
	case edge.SliceExpr_X:
		return p.dies(parent)
	case edge.IndexExpr_X:
		return isBytes(p.info.TypeOf(c.Node().(ast.Expr))) && parent.ParentEdgeKind() != edge.UnaryExpr_X
	case edge.RangeStmt_X:
		return isBytes(p.info.TypeOf(c.Node().(ast.Expr)))
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		_, slice := p.info.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Slice)
		return !slice // memory of a pool is never nil
	case edge.AssignStmt_Rhs:
		assign := parent.Node().(*ast.AssignStmt)
		_, i := c.ParentEdge()
		return p.assigned(c, assign.Lhs[i])
	case edge.ValueSpec_Values:
		spec := parent.Node().(*ast.ValueSpec)
		_, i := c.ParentEdge()
		return p.assigned(c, spec.Names[i])
	case edge.SelectorExpr_X:
		return p.selected(parent)
	case edge.CallExpr_Args:
		_, i := c.ParentEdge()
		return p.passed(parent, i)
	}
	return false
}

// assigned follows a value to the variable that it is assigned to. Where a call has
// several results, the memory is in the first.
func (p *Prover) assigned(c inspector.Cursor, to ast.Expr) bool {
	id, ok := ast.Unparen(to).(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	return p.follow(rewrite.Function(c), rewrite.Variable(p.info, id))
}

// selected decides on a field or method of a reader, writer or buffer.
func (p *Prover) selected(c inspector.Cursor) bool {
	sel := c.Node().(*ast.SelectorExpr)
	s := p.info.Selections[sel]
	if s == nil {
		return false
	}
	if s.Kind() == types.FieldVal {
		return streams[packageOf(s.Recv())] && c.ParentEdgeKind() != edge.UnaryExpr_X
	}
	fn, ok := s.Obj().(*types.Func)
	if !ok || c.ParentEdgeKind() != edge.CallExpr_Fun || fn.Pkg() == nil || !streams[fn.Pkg().Path()] {
		return false
	}
	call := c.Parent()
	return call.ParentEdgeKind() != edge.GoStmt_Call && (!shares[fn.FullName()] || p.dies(call))
}

// passed decides on the argument i of the call at c.
func (p *Prover) passed(c inspector.Cursor, i int) bool {
	call := c.Node().(*ast.CallExpr)
	if c.ParentEdgeKind() == edge.GoStmt_Call {
		return false
	}
	if p.info.Types[call.Fun].IsType() {
		basic, ok := p.info.TypeOf(call).Underlying().(*types.Basic)
		return ok && basic.Info()&types.IsString != 0 || p.dies(c)
	}
	switch callee := typeutil.Callee(p.info, call).(type) {
	case *types.Builtin:
		switch callee.Name() {
		case "append":
			return i > 0 && call.Ellipsis.IsValid() && isBytes(p.info.TypeOf(call)) || i == 0 && p.dies(c)
		case "len", "copy", "clear":
			return true
		}
	case *types.Func:
		name := callee.FullName()
		switch {
		case borrows[name]:
			return true
		case returns[name], appends[name]:
			return p.dies(c)
		case contract(p.pass.Pkg, callee):
			return true
		}
		return p.enters(callee, call, i)
	}
	return false
}

// enters follows an argument into a function of the package.
func (p *Prover) enters(callee *types.Func, call *ast.CallExpr, i int) bool {
	decl, ok := p.declared[callee]
	sig := callee.Signature()
	if !ok || sig.Variadic() || i >= sig.Params().Len() || len(call.Args) != sig.Params().Len() {
		return false
	}
	param := sig.Params().At(i)
	return param.Name() == "" || param.Name() == "_" || p.follow(decl, param)
}

func isBytes(t types.Type) bool { return t != nil && rewrite.IsBytes(t) }

// packageOf returns the path of the package that declares a type, "" if none does.
func packageOf(t types.Type) string {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path()
}
