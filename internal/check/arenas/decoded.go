package arenas

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// textArena is the value of arena.TextArena.
const textArena = "1"

// decoded returns the variable whose contents a call puts into an arena, as
// Unmarshal does, with their origin.
func (f *function) decoded(call *ast.CallExpr) (into *types.Var, from origin) {
	name, ok := api(f.info, call)
	if !ok || len(call.Args) != 3 || name != "Unmarshal" && name != "UnmarshalOptions.Unmarshal" {
		return nil, origin{}
	}
	target := ast.Unparen(call.Args[2])
	if p, ok := target.(*ast.UnaryExpr); ok && p.Op == token.AND {
		target = p.X
	}
	arena := rewrite.Variable(f.info, call.Args[0])
	if into = rewrite.Variable(f.info, target); into == nil || arena == nil || !f.arenas[arena] {
		return nil, origin{}
	}
	if f.textInArena(call) {
		return into, origin{arena: arena, hold: contents}
	}
	t := into.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if !beyondText(t, map[types.Type]bool{}) {
		return into, origin{}
	}
	return into, origin{arena: arena, hold: withoutText}
}

// textInArena reports whether the options of an Unmarshal put text into the arena.
// Those in variables are not followed.
func (f *function) textInArena(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	options, ok := ast.Unparen(sel.X).(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, e := range options.Elts {
		if field, ok := e.(*ast.KeyValueExpr); ok && types.ExprString(field.Key) == "Text" {
			text := f.info.Types[field.Value].Value
			return text != nil && text.ExactString() == textArena
		}
	}
	return false
}

// beyondText reports whether a decoded value of a type can refer to memory other than
// strings and bytes.
func beyondText(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return !ok || b.Kind() != types.Byte
	case *types.Array:
		return beyondText(u.Elem(), seen)
	case *types.Map: // Go maps are on the heap
		return beyondText(u.Key(), seen) || beyondText(u.Elem(), seen)
	case *types.Struct:
		for v := range u.Fields() {
			if !ofRuntime(v.Type()) && beyondText(v.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}

// ofRuntime reports whether a type is protobuf's own, of the state in each message.
func ofRuntime(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "google.golang.org/protobuf/internal/")
}

// readsText reports whether e only reads a field of a decoded variable, by its name or
// by a getter, that lies on the heap although the variable's arena has ended.
func (f *function) readsText(e ast.Expr, s state) bool {
	field := e
	if call, ok := e.(*ast.CallExpr); ok {
		field = ast.Unparen(call.Fun)
	}
	sel, ok := field.(*ast.SelectorExpr)
	if !ok || s.stale[rewrite.Variable(f.info, sel.X)].hold != withoutText {
		return false
	}
	if field != e && !strings.HasPrefix(sel.Sel.Name, "Get") {
		return false
	}
	t := f.info.TypeOf(e)
	return t != nil && !beyondText(t, map[types.Type]bool{})
}
