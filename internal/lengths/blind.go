package lengths

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// blindness decides whether a package sees that an empty slice is not nil. It follows the
// slice into variables, unexported fields, parameters and the results of unexported
// functions. What it cannot follow sees it.
type blindness struct {
	pass     *analysis.Pass
	info     *types.Info
	root     inspector.Cursor
	mentions map[types.Object][]inspector.Cursor
}

func newBlindness(pass *analysis.Pass) *blindness {
	info, root := pass.TypesInfo, rewrite.Files(pass)
	b := &blindness{pass: pass, info: info, root: root, mentions: map[types.Object][]inspector.Cursor{}}
	for c := range root.Preorder((*ast.Ident)(nil)) {
		if o := origin(info.ObjectOf(c.Node().(*ast.Ident))); o != nil {
			b.mentions[o] = append(b.mentions[o], c)
		}
	}
	return b
}

// origin returns the generic declaration of a variable or function of an instance.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return nil
}

// of reports whether no mention of a variable sees whether it is nil.
func (b *blindness) of(v *types.Var) bool {
	return (&question{blindness: b, asked: map[any]bool{}}).variable(v)
}

// question is the search of one answer. What is asked about already is blind, unless something
// else says no.
type question struct {
	*blindness
	asked map[any]bool
}

func (q *question) variable(v *types.Var) bool {
	v = v.Origin()
	switch {
	case q.asked[v]:
		return true
	case v.Pkg() == nil, v.Kind() == types.ResultVar, v.Kind() == types.RecvVar:
		return false
	case v.IsField() || v.Parent() == v.Pkg().Scope():
		if v.Exported() || v.Embedded() || rewrite.MentionedInOtherBuilds(q.pass, v.Name()) ||
			len(q.mentions[v]) == 0 || v.IsField() && q.compared(v) {
			return false
		}
	}
	q.asked[v] = true
	return !slices.ContainsFunc(q.mentions[v], func(id inspector.Cursor) bool {
		return q.info.Defs[id.Node().(*ast.Ident)] == nil && !q.value(id)
	})
}

// value reports whether the code around an expression does not see whether it is nil.
func (q *question) value(c inspector.Cursor) bool {
	parent := c.Parent()
	switch c.ParentEdgeKind() {
	case edge.ParenExpr_X, edge.SelectorExpr_Sel, edge.SliceExpr_X:
		return q.value(parent)
	case edge.IndexExpr_X, edge.RangeStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value, edge.AssignStmt_Lhs,
		edge.KeyValueExpr_Key, edge.ExprStmt_X:
		return true
	case edge.CallExpr_Args:
		return q.argument(parent, c.ParentEdgeIndex())
	case edge.AssignStmt_Rhs:
		assign := parent.Node().(*ast.AssignStmt)
		return len(assign.Lhs) == len(assign.Rhs) && q.target(assign.Lhs[c.ParentEdgeIndex()])
	case edge.ValueSpec_Values:
		spec := parent.Node().(*ast.ValueSpec)
		return len(spec.Names) == len(spec.Values) && q.target(spec.Names[c.ParentEdgeIndex()])
	case edge.ReturnStmt_Results:
		return q.result(rewrite.Function(c), c.ParentEdgeIndex())
	case edge.KeyValueExpr_Value:
		lit, ok := parent.Parent().Node().(*ast.CompositeLit)
		if !ok {
			return false
		}
		_, isStruct := q.info.TypeOf(lit).Underlying().(*types.Struct)
		key, ok := parent.Node().(*ast.KeyValueExpr).Key.(*ast.Ident)
		return ok && isStruct && q.target(key)
	}
	return false
}

// target reports whether the variable that a slice is assigned to is blind.
func (q *question) target(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if sel, is := ast.Unparen(e).(*ast.SelectorExpr); is {
		id, ok = sel.Sel, true
	}
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	v, ok := q.info.ObjectOf(id).(*types.Var)
	return ok && q.sliceOf(v) && q.variable(v)
}

// sliceOf reports whether a variable has a slice type: an interface would show the slice.
func (q *question) sliceOf(v *types.Var) bool {
	_, ok := v.Type().Underlying().(*types.Slice)
	return ok
}

// argument reports whether a call does not see whether an argument is nil.
func (q *question) argument(c inspector.Cursor, i int) bool {
	call := c.Node().(*ast.CallExpr)
	switch {
	case q.info.Types[call.Fun].IsType():
		if _, slice := q.info.TypeOf(call).Underlying().(*types.Slice); slice {
			return q.value(c)
		}
		return readsOnly(q.info, call)
	case rewrite.IsBuiltin(q.info, call, "append"):
		if i == 0 {
			return q.value(c)
		}
		return call.Ellipsis.IsValid()
	case rewrite.Callee(q.info, call) == "slices.Clone":
		return q.value(c)
	case readsOnly(q.info, call):
		return true
	}
	var callee types.Object
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		callee = origin(q.info.Uses[fun])
	case *ast.SelectorExpr:
		callee = origin(q.info.Uses[fun.Sel])
	}
	fn, ok := callee.(*types.Func)
	if !ok || !q.declared(fn) {
		return false
	}
	params := fn.Signature().Params()
	if fn.Signature().Variadic() && i >= params.Len()-1 && !call.Ellipsis.IsValid() {
		return false
	}
	return q.sliceOf(params.At(i)) && q.variable(params.At(i))
}

// declared reports whether the source of a function is in the package.
func (q *question) declared(fn *types.Func) bool {
	return slices.ContainsFunc(q.mentions[fn], func(id inspector.Cursor) bool {
		decl, ok := id.Parent().Node().(*ast.FuncDecl)
		return ok && decl.Body != nil && id.ParentEdgeKind() == edge.FuncDecl_Name
	})
}

// result reports whether no caller of a function sees whether one of its results is nil. They
// are all known if nothing but calls mentions the function. If nothing does, only tests call it.
func (q *question) result(c inspector.Cursor, i int) bool {
	decl, ok := c.Node().(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() {
		return false
	}
	fn := q.info.Defs[decl.Name].(*types.Func)
	type place struct {
		fn *types.Func
		i  int
	}
	if q.asked[place{fn, i}] {
		return true
	}
	q.asked[place{fn, i}] = true
	if len(q.mentions[fn]) < 2 || rewrite.MentionedInOtherBuilds(q.pass, fn.Name()) ||
		!q.sliceOf(fn.Signature().Results().At(i)) || q.dynamic(fn) {
		return false
	}
	return !slices.ContainsFunc(q.mentions[fn], func(id inspector.Cursor) bool {
		return id.ParentEdgeKind() != edge.FuncDecl_Name && !q.called(id, i)
	})
}

// dynamic reports whether a method may be called by way of an interface.
func (q *question) dynamic(fn *types.Func) bool {
	if fn.Signature().Recv() == nil {
		return false
	}
	for o := range q.mentions {
		if other, ok := o.(*types.Func); ok && other != fn && other.Name() == fn.Name() {
			if recv := other.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				return true
			}
		}
	}
	return false
}

// called reports whether a mention of a function is a call that does not see whether a
// result is nil.
func (q *question) called(id inspector.Cursor, i int) bool {
	fun := id
	if id.ParentEdgeKind() == edge.SelectorExpr_Sel {
		fun = id.Parent()
	}
	if fun.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	call := fun.Parent()
	switch p := call.Parent().Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.AssignStmt:
		if len(p.Rhs) == 1 && len(p.Lhs) > 1 {
			return q.target(p.Lhs[i])
		}
	case *ast.ReturnStmt:
		if tuple, ok := q.info.TypeOf(call.Node().(ast.Expr)).(*types.Tuple); ok && tuple.Len() > 1 {
			return q.result(rewrite.Function(call), i)
		}
	}
	return q.value(call)
}
