package poolreset

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// resetsWhole notes a call that by its name resets whole values. The body of a function of
// the package shows which fields that are.
func (u *use) resetsWhole(call *ast.CallExpr) {
	u.resets = append(u.resets, call.Pos())
	if body := u.followed(call); body != nil {
		u.custom = append(u.custom, body)
	} else {
		u.reset[""] = true
	}
}

// mention counts a place at which the source names a part.
func (u *use) mention(scope *pooled.Scope, e *ast.SelectorExpr) {
	if p, ok := scope.Path(e); ok {
		u.mentions[p]++
	}
}

// forgets reports whether the package's own functions that reset whole values never mention
// the field of an addition, though the next user reads its old contents. Maps are often caches
// on purpose, so only those count that are shown whole.
func (u *use) forgets(a addition) bool {
	if a.into != nil || a.path == "" {
		return false
	}
	shown := slices.Contains(u.shown, a.path)
	if _, call := a.at.(*ast.CallExpr); !shown && (!call || !u.isRead(a.path)) {
		return false
	}
	path, _ := cutField(a.path)
	return !slices.ContainsFunc(u.custom, func(body *ast.BlockStmt) bool {
		return u.mayTouch(body, path, map[*ast.BlockStmt]bool{})
	})
}

// isRead reports whether the source names a part at other places than those that add to it.
// A statement that appends to a slice names it twice.
func (u *use) isRead(path string) bool {
	n := u.mentions[path]
	for _, a := range u.added {
		if call, ok := a.at.(*ast.CallExpr); ok && a.path == path {
			if n--; rewrite.IsBuiltin(u.info, call, "append") {
				n--
			}
		}
	}
	return n > 0
}

// cutField returns the name of the first field of a path, and the rest.
func cutField(path string) (field, rest string) {
	for i := 1; i < len(path); i++ {
		if path[i] == '.' {
			return path[1:i], path[i:]
		}
	}
	return path[1:], ""
}

// mayTouch reports whether a function that resets values may reset a field: it mentions the
// field, or does something with a whole struct besides the use of its fields.
func (u *use) mayTouch(body *ast.BlockStmt, field string, seen map[*ast.BlockStmt]bool) (found bool) {
	if seen[body] {
		return false
	}
	seen[body] = true
	bases := map[*ast.Ident]bool{} // the variables whose fields are selected
	fields := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !ok || u.info.Selections[sel] == nil || u.info.Selections[sel].Kind() != types.MethodVal {
				break
			}
			if base, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
				callee := u.followed(n)
				bases[base] = callee != nil
				found = found || callee != nil && u.mayTouch(callee, field, seen)
			}
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == field
			if s := u.info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				fields = true
				if base, ok := ast.Unparen(n.X).(*ast.Ident); ok {
					bases[base] = true
				}
			}
		case *ast.BinaryExpr:
			if base, ok := ast.Unparen(n.X).(*ast.Ident); ok && (n.Op == token.EQL || n.Op == token.NEQ) {
				bases[base] = true
			}
		case *ast.Ident:
			v, ok := u.info.Uses[n].(*types.Var)
			found = found || ok && !v.IsField() && !bases[n] && holdsStruct(v.Type())
		}
		return !found
	})
	return found || !fields
}

// holdsStruct reports whether a variable is a struct, or may lead to one.
func holdsStruct(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		_, ok := t.Elem().Underlying().(*types.Struct)
		return ok
	case *types.Struct, *types.Interface, *types.TypeParam:
		return true
	}
	return false
}
