package retention

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// store is a value that a function puts in a long-lived place.
type store struct {
	at    inspector.Cursor // the statement
	value ast.Expr
	src   ast.Node // reads the input of which value is a part
}

// receiver returns the receiver of a method of a type that has a mutex, which
// several goroutines share: it outlives the call. Otherwise it returns nil.
func receiver(info *types.Info, decl *ast.FuncDecl) *types.Var {
	fn, ok := info.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return nil
	}
	recv := fn.Signature().Recv()
	ptr, ok := types.Unalias(recv.Type()).(*types.Pointer)
	if !ok {
		return nil
	}
	st, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		switch f.Type().String() {
		case "sync.Mutex", "sync.RWMutex", "*sync.Mutex", "*sync.RWMutex":
			return recv
		}
	}
	return nil
}

// stores yields the values that a function stores in variables of a package and in
// the fields of recv.
func stores(info *types.Info, fn inspector.Cursor, recv *types.Var) iter.Seq[store] {
	return func(yield func(store) bool) {
		for c := range fn.Preorder((*ast.AssignStmt)(nil), (*ast.CallExpr)(nil)) {
			var values []ast.Expr
			switch n := c.Node().(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if !lasting(info, left, recv) {
						continue
					}
					if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
						values = append(values, index.Index) // the key of a map
					}
					if len(n.Rhs) == len(n.Lhs) {
						values = append(values, held(info, n.Rhs[i])...)
					}
				}
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && lasting(info, sel.X, recv) {
					switch rewrite.Callee(info, n) {
					case "(*sync.Map).Store", "(*sync.Map).LoadOrStore", "(*sync.Map).Swap", "(*sync/atomic.Value).Store":
						for _, arg := range n.Args {
							values = append(values, held(info, arg)...)
						}
					}
				}
			}
			for _, v := range values {
				if !yield(store{at: c, value: v}) {
					return
				}
			}
		}
	}
}

// lasting reports whether e denotes a place in a variable of a package or in recv.
func lasting(info *types.Info, e ast.Expr, recv *types.Var) bool {
	v := rewrite.Root(info, e)
	return v != nil && v.Pkg() != nil && !v.IsField() && (v == recv || v.Parent() == v.Pkg().Scope())
}

// held returns the values that a stored value consists of.
func held(info *types.Info, e ast.Expr) []ast.Expr {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return held(info, x.X)
		}
	case *ast.CompositeLit:
		var all []ast.Expr
		for _, element := range x.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			all = append(all, held(info, element)...)
		}
		return all
	case *ast.CallExpr:
		if rewrite.IsBuiltin(info, x, "append") && !x.Ellipsis.IsValid() {
			var all []ast.Expr
			for _, arg := range x.Args[1:] {
				all = append(all, held(info, arg)...)
			}
			return all
		}
	}
	return []ast.Expr{e}
}

// perPiece reports whether the statement runs many times for the input that src
// reads: in a loop around it that the read is not part of, unless the function
// leaves the loop directly afterwards.
func perPiece(at inspector.Cursor, src ast.Node) bool {
	if next, ok := at.NextSibling(); ok {
		switch n := next.Node().(type) {
		case *ast.ReturnStmt:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.BREAK {
				return false
			}
		}
	}
	for loop := range at.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		var body *ast.BlockStmt
		switch n := loop.Node().(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		}
		if src.Pos() < body.Pos() || body.End() <= src.Pos() {
			return true
		}
	}
	return false
}
