package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// findShrinking notes the variables and fields from which a file takes entries:
// delete and clear, s = s[i:], a new value that is not an initialization, and
// methods of containers that remove. A method such as Close ends the container's life.
func (w *walker) findShrinking(f *ast.File) {
	ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Recv == nil || !slices.Contains(enders, n.Name.Name)
		case *ast.CallExpr:
			w.shrinkByCall(n)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				w.shrink(n.X, n.Pos())
			}
		case *ast.RangeStmt:
			if _, ok := underlying(w.typeOf(n.X)).(*types.Chan); ok {
				w.shrink(n.X, n.Pos())
			}
		case *ast.AssignStmt:
			w.shrinkByAssignment(n, stack)
			w.pop(n, stack)
			w.replace(n)
		}
		return true
	})
}

// enders are methods after which their receiver is not used any more.
var enders = []string{"Close", "Shutdown", "Stop", "Destroy", "Dispose"}

// takers are functions that remove from their first argument, or return it with
// less in it.
var takers = []string{"maps.DeleteFunc", "slices.Delete", "slices.Compact", "container/heap.Pop",
	"container/heap.Remove"}

// shrinkByCall notes the target of a call that removes. Where the package's own
// functions remove from a parameter, shrinkArguments finds the arguments.
func (w *walker) shrinkByCall(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	if id, ok := fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 {
		w.shrink(n.Args[0], n.Pos())
		return
	}
	name := w.callee(fun)
	for _, p := range takers {
		if strings.HasPrefix(name, p) && len(n.Args) > 0 {
			w.shrink(n.Args[0], n.Pos())
			return
		}
	}
	if c, sel, ok := w.container(fun); ok && c.takes(sel.Sel.Name, n.Args) {
		w.shrink(sel.X, n.Pos())
	}
}

func (w *walker) shrinkByAssignment(n *ast.AssignStmt, stack []ast.Node) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, l := range n.Lhs {
		_, element := ast.Unparen(l).(*ast.IndexExpr)
		switch r := ast.Unparen(n.Rhs[i]).(type) {
		case *ast.SliceExpr: // s.items[user] = s.items[user][1:]
			if element && types.ExprString(r.X) == types.ExprString(l) {
				w.shrink(l, n.Pos())
				continue
			}
		case *ast.CallExpr:
			if !w.empties(r) {
				continue // a function's result may be larger or smaller
			}
		case *ast.Ident:
			if value, local := w.aliases[w.object(r)]; local {
				if c, ok := ast.Unparen(value).(*ast.CallExpr); ok && !w.empties(c) {
					continue // q := append(s.items, x)
				}
			}
		}
		if element || w.adds(n.Rhs[i]) || holdsLast(l, n.Rhs[i]) || w.initializes(stack, l) {
			continue
		}
		if id, ok := l.(*ast.Ident); ok && isPlace(w.aliases[w.object(id)]) {
			continue // the place that gave the variable its value stays as it is
		}
		w.shrink(l, n.Pos())
	}
}

// isPlace reports whether an expression is a field or an entry.
func isPlace(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

func (w *walker) shrink(e ast.Expr, at token.Pos) {
	for _, o := range w.objects(pointee(e)) { // heap.Pop(&queue)
		if _, known := w.shrinks[o]; !known {
			w.shrinks[o] = at
		}
	}
}

// shrinkArguments notes arguments of functions of the package that take from that
// parameter: a helper that evicts.
func (w *walker) shrinkArguments(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sig, ok := underlying(w.typeOf(call.Fun)).(*types.Signature)
		id, named := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok || !named {
			return true
		}
		if fn, declared := w.info.Uses[id].(*types.Func); declared {
			sig = fn.Signature()
		}
		for i, arg := range call.Args {
			if i < sig.Params().Len() {
				if at, takes := w.shrinks[sig.Params().At(i)]; takes {
					w.shrink(arg, at)
				}
			}
		}
		return true
	})
}

// empties reports whether the result of a call is a smaller or new value: make,
// slices.Delete, a conversion of nil.
func (w *walker) empties(c *ast.CallExpr) bool {
	if id, ok := c.Fun.(*ast.Ident); ok {
		return id.Name == "make" || id.Name == "new" || id.Name == "append" && !w.adds(c)
	}
	name := w.callee(ast.Unparen(c.Fun))
	return strings.HasPrefix(name, "slices.Delete") || strings.HasPrefix(name, "slices.Compact") ||
		name == "container/list.New"
}

// adds reports whether the value is the result of an append.
func (w *walker) adds(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := c.Fun.(*ast.Ident)
	if !ok || id.Name != "append" || len(c.Args) == 0 {
		return false
	}
	_, part := ast.Unparen(c.Args[0]).(*ast.SliceExpr)
	return !part
}

// initializes reports whether an assignment only sets up: in main and init, of a
// field of a variable that the function itself declares, and where it was nil.
func (w *walker) initializes(stack []ast.Node, lhs ast.Expr) bool {
	var inside *ast.FuncDecl
	for _, n := range stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			inside = n
		case *ast.IfStmt:
			if c, ok := n.Cond.(*ast.BinaryExpr); ok && c.Op == token.EQL &&
				types.ExprString(c.X) == types.ExprString(lhs) && types.ExprString(c.Y) == "nil" {
				return true
			}
		}
	}
	if inside == nil {
		return false
	}
	if inside.Recv == nil && (inside.Name.Name == "main" || inside.Name.Name == "init") {
		return true
	}
	sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := w.object(id).(*types.Var)
	return ok && inside.Body != nil && v.Pos() > inside.Body.Pos() && v.Pos() < inside.Body.End()
}

// findAliases notes the first values of local variables: m := s.items is another
// name for the map of a field.
func (w *walker) findAliases(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			return true
		}
		for i, r := range a.Rhs { // the first one counts, as in l, ok := lists[key]
			if id, ok := a.Lhs[i].(*ast.Ident); ok && w.info.Defs[id] != nil {
				w.aliases[w.info.Defs[id]] = r
			}
		}
		return true
	})
}

// objects returns the variable or field that an expression names, and the one
// that it is a local name of.
func (w *walker) objects(e ast.Expr) []types.Object {
	var all []types.Object
	for range 3 {
		o := w.object(e)
		if o == nil {
			break
		}
		all = append(all, o)
		value, local := w.aliases[o]
		if !local {
			break
		}
		switch value := ast.Unparen(value).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.Ident:
			e = value
		case *ast.SliceExpr:
			e = value.X // kept := s.items[:0]
		default:
			return all
		}
	}
	return all
}
