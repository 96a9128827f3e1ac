package poolput

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// writers knows the functions of a package that assign fields.
type writers struct {
	info    *types.Info
	of      map[*types.Var]map[*types.Func]bool // the functions that assign a field
	callers map[*types.Func][]*types.Func
	reached map[*types.Var]map[*types.Func]bool // those that assign a field, or call one that does; filled by reach
}

func newWriters(info *types.Info, root inspector.Cursor) *writers {
	w := &writers{info, map[*types.Var]map[*types.Func]bool{}, map[*types.Func][]*types.Func{}, map[*types.Var]map[*types.Func]bool{}}
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		decl := c.Node().(*ast.FuncDecl)
		fn, ok := info.Defs[decl.Name].(*types.Func)
		if !ok || decl.Body == nil {
			continue
		}
		fields := map[*types.Var]bool{}
		w.assigned(decl.Body, fields)
		for field := range fields {
			if w.of[field] == nil {
				w.of[field] = map[*types.Func]bool{}
			}
			w.of[field][fn] = true
		}
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if callee := typeutil.StaticCallee(info, call); callee != nil {
					w.callers[callee.Origin()] = append(w.callers[callee.Origin()], fn)
				}
			}
			return true
		})
	}
	return w
}

// assigned adds the fields that the statements in n assign. One that is cut keeps its
// memory.
func (w *writers) assigned(n ast.Node, to map[*types.Var]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if len(n.Lhs) != len(n.Rhs) || !w.cuts(left, n.Rhs[i]) {
					w.fields(left, to)
				}
			}
		case *ast.UnaryExpr: // by its address
			w.fields(n.X, to)
		case *ast.RangeStmt:
			w.fields(n.Key, to)
			w.fields(n.Value, to)
		}
		return true
	})
}

// cuts reports whether an assignment is x.f = x.f[:n].
func (w *writers) cuts(left, right ast.Expr) bool {
	slice, ok := ast.Unparen(right).(*ast.SliceExpr)
	return ok && types.ExprString(slice.X) == types.ExprString(left)
}

// fields adds the fields that an assignment to left changes.
func (w *writers) fields(left ast.Expr, to map[*types.Var]bool) {
	if left == nil {
		return
	}
	if sel, ok := ast.Unparen(left).(*ast.SelectorExpr); ok {
		if v, ok := w.info.Uses[sel.Sel].(*types.Var); ok && v.IsField() {
			to[v.Origin()] = true
		}
	}
	if t := w.info.TypeOf(left); t != nil && rewrite.Variable(w.info, left) == nil {
		addFields(t, to)
	}
}

// addFields adds the fields of a struct, and those of structs in it.
func addFields(t types.Type, to map[*types.Var]bool) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range st.Fields() {
		to[field.Origin()] = true
		addFields(field.Type(), to)
	}
}

// reach reports whether a function, or one of the package that it calls, assigns one
// of the fields.
func (w *writers) reach(fn *types.Func, fields []*types.Var) bool {
	return slices.ContainsFunc(fields, func(field *types.Var) bool {
		reached, known := w.reached[field]
		if !known {
			reached = map[*types.Func]bool{}
			w.reached[field] = reached
			for queue := slices.Collect(maps.Keys(w.of[field])); len(queue) > 0; {
				fn := queue[len(queue)-1]
				queue = queue[:len(queue)-1]
				if !reached[fn] {
					reached[fn] = true
					queue = append(queue, w.callers[fn]...)
				}
			}
		}
		return reached[fn]
	})
}

// anywhere reports whether a function of the package other than one assigns one of
// the fields.
func (w *writers) anywhere(fields []*types.Var, except *types.Func) bool {
	return slices.ContainsFunc(fields, func(field *types.Var) bool {
		of := w.of[field]
		return len(of) > 1 || len(of) == 1 && !of[except]
	})
}
