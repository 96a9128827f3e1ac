package arenas

import (
	"go/ast"
	"go/types"
	"iter"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// fields are the fields of the package's structs that hold an arena and that no other
// package sees.
type fields struct {
	fixed   map[*types.Var]bool // only functions that make the struct set it: elsewhere it is always the same arena
	lent    map[*types.Var]bool // nothing frees its arena, or hands it on
	other   map[string]bool     // names of fields that get values from elsewhere than themselves
	changed bool                // something became known in this round

	declared map[*types.Func]inspector.Cursor // functions of the package
}

func newFields(pass *analysis.Pass, root inspector.Cursor) *fields {
	s := &fields{fixed: map[*types.Var]bool{}, lent: map[*types.Var]bool{}, other: map[string]bool{}, declared: map[*types.Func]inspector.Cursor{}}
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		if fn, ok := pass.TypesInfo.Defs[c.Node().(*ast.FuncDecl).Name].(*types.Func); ok {
			s.declared[fn] = c
		}
	}
	for id, obj := range pass.TypesInfo.Defs {
		if v, ok := obj.(*types.Var); ok && v.IsField() && !id.IsExported() && isArena(v.Type()) {
			s.fixed[v], s.lent[v] = true, true
		}
	}
	for c, v := range s.mentions(pass, root) {
		made := false
		if of := rewrite.Variable(pass.TypesInfo, c.Node().(*ast.SelectorExpr).X); of != nil {
			made = of.Kind() == types.LocalVar
		}
		if addressed(c) || assigned(c) && !made {
			delete(s.fixed, v)
		}
	}
	if len(s.fixed) > 0 {
		s.findOther(pass, root)
	}
	return s
}

// findOther finds the fields that are assigned a value which is neither made in an
// arena nor an append, or the like, to the field itself.
func (s *fields) findOther(pass *analysis.Pass, root inspector.Cursor) {
	for c := range root.Preorder((*ast.AssignStmt)(nil)) {
		assign := c.Node().(*ast.AssignStmt)
		for i, l := range assign.Lhs {
			sel, ok := l.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			r := ast.Unparen(assign.Rhs[min(i, len(assign.Rhs)-1)])
			from := r
			if call, ok := r.(*ast.CallExpr); ok && len(call.Args) > 0 && !pass.TypesInfo.Types[call.Fun].IsType() {
				if _, made := api(pass.TypesInfo, call); made {
					continue
				}
				from = call.Args[0]
			}
			if slice, ok := from.(*ast.SliceExpr); ok {
				from = slice.X
			}
			if types.ExprString(from) != types.ExprString(sel) {
				s.other[sel.Sel.Name] = true
			}
		}
	}
}

// mentions are the selectors in the package that name one of the fields.
func (s *fields) mentions(pass *analysis.Pass, root inspector.Cursor) iter.Seq2[inspector.Cursor, *types.Var] {
	return func(yield func(inspector.Cursor, *types.Var) bool) {
		if len(s.fixed)+len(s.lent) == 0 {
			return
		}
		for c := range root.Preorder((*ast.SelectorExpr)(nil)) {
			v, ok := pass.TypesInfo.Uses[c.Node().(*ast.SelectorExpr).Sel].(*types.Var)
			if ok && (s.fixed[v.Origin()] || s.lent[v.Origin()]) && !yield(c, v.Origin()) {
				return
			}
		}
	}
}

// drop gives up fields whose arena is freed or handed on, as far as facts of
// functions are known.
func (s *fields) drop(pass *analysis.Pass, root inspector.Cursor) {
	f := &function{pass: pass, info: pass.TypesInfo, known: s}
	for c, v := range s.mentions(pass, root) {
		if s.lent[v] && !f.borrowed(c) && !f.lendsAt(c).OK || freesAt(c) {
			delete(s.lent, v)
			s.changed = true
		}
	}
}

// freesAt reports whether a call frees the arena that c names.
func freesAt(c inspector.Cursor) bool {
	sel, ok := c.Parent().Node().(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Free"
}

// findFields follows the fields of variables that stay the same in the function, by
// their text.
func (f *function) findFields() {
	f.fields, f.placed = map[string]*types.Var{}, map[*types.Var]bool{}
	if len(f.known.fixed) == 0 {
		return
	}
	for c := range f.cursor.Preorder((*ast.SelectorExpr)(nil)) {
		sel := c.Node().(*ast.SelectorExpr)
		field, ok := f.info.Uses[sel.Sel].(*types.Var)
		if !ok || !f.known.fixed[field.Origin()] || f.fields[types.ExprString(sel)] != nil {
			continue
		}
		of := rewrite.Variable(f.info, sel.X)
		if of == nil || !inside(f.cursor.Node(), of.Pos()) || f.loops(of) || !f.once(of) {
			continue
		}
		v := types.NewVar(sel.Pos(), f.pass.Pkg, types.ExprString(sel), field.Type())
		f.fields[v.Name()], f.placed[v], f.arenas[v] = v, true, true
	}
}

// loops reports whether each iteration of a loop has its own instance of a variable.
func (f *function) loops(v *types.Var) bool {
	for c := range f.cursor.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if inside(c.Node(), v.Pos()) {
			return true
		}
	}
	return false
}

// once reports whether a variable is never assigned again, and no other variable of
// the function has its name.
func (f *function) once(v *types.Var) bool {
	for c := range f.cursor.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		obj := f.info.ObjectOf(id)
		switch {
		case obj != v && obj != nil && id.Name == v.Name() && f.info.Defs[id] != nil:
			return false
		case obj == v && (addressed(c) || assigned(c) && f.info.Defs[id] == nil):
			return false
		}
	}
	return true
}

// arena returns the arena that an expression names: a variable, a parameter or a
// field that is followed. It is nil for others.
func (f *function) arena(e ast.Expr) *types.Var {
	if v := rewrite.Variable(f.info, e); v != nil {
		if f.arenas[v] {
			return v
		}
		return nil
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return f.fields[types.ExprString(sel)]
	}
	return nil
}
