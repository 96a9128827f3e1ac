package pooled

import (
	"go/ast"
	"go/types"
	"strings"
	"sync"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// place is a field of a variable, or of another place.
type place struct {
	base  *types.Var
	field *types.Var
}

// places are the variables that stand for places. They are made when an analyzer asks
// for them.
type places struct {
	variables sync.Map // place → *types.Var
	of        sync.Map // *types.Var → place
}

// variable returns the variable of a place. It is declared where the base is.
func (p *places) variable(at place) *types.Var {
	if v, ok := p.variables.Load(at); ok {
		return v.(*types.Var)
	}
	v := types.NewVar(at.base.Pos(), at.base.Pkg(), at.base.Name()+"."+at.field.Name(), at.field.Type())
	p.of.Store(v, at) // before another goroutine can see it
	first, _ := p.variables.LoadOrStore(at, v)
	return first.(*types.Var)
}

// at returns the place that a variable stands for.
func (p *places) at(v *types.Var) (place, bool) {
	at, ok := p.of.Load(v)
	if !ok {
		return place{}, false
	}
	return at.(place), true
}

// Place returns the variable that an expression denotes. A field that is reached from
// a variable, as in x.buf, has a variable of its own: the same one wherever x.buf is
// written in the package. Other expressions have none.
func (h *Helpers) Place(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return rewrite.Variable(h.info, e)
	case *ast.SelectorExpr:
		s := h.info.Selections[e]
		if s == nil {
			return rewrite.Variable(h.info, e.Sel) // of another package
		}
		if s.Kind() == types.FieldVal {
			return h.along(h.Place(e.X), s.Recv(), s.Index())
		}
	case *ast.StarExpr: // (*x).buf is x.buf
		if _, structure := types.Unalias(h.info.TypeOf(e)).Underlying().(*types.Struct); structure {
			return h.Place(e.X)
		}
	}
	return nil
}

// along returns the place that a path of field indices leads to.
func (h *Helpers) along(v *types.Var, t types.Type, path []int) *types.Var {
	for _, i := range path {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok || v == nil {
			return nil
		}
		v, t = h.field(v, st.Field(i)), st.Field(i).Type()
	}
	return v
}

// field returns the variable of a field.
func (h *Helpers) field(base, field *types.Var) *types.Var {
	return h.places.variable(place{base, field.Origin()})
}

// Root returns the variable from which a place is reached, and v if it is no place.
func (h *Helpers) Root(v *types.Var) *types.Var {
	for {
		p, ok := h.places.at(v)
		if !ok {
			return v
		}
		v = p.base
	}
}

// Passes reports whether a place is the field, or is reached through it.
func (h *Helpers) Passes(v, field *types.Var) bool {
	for {
		p, ok := h.places.at(v)
		if !ok || p.field == field {
			return ok
		}
		v = p.base
	}
}

// Fields returns the fields on the way from the root to a place.
func (h *Helpers) Fields(v *types.Var) []*types.Var {
	p, ok := h.places.at(v)
	if !ok {
		return nil
	}
	return append(h.Fields(p.base), p.field)
}

// path returns the names of the fields on the way to a place.
func (h *Helpers) path(v *types.Var) string {
	var names []string
	for _, f := range h.Fields(v) {
		names = append(names, f.Name())
	}
	return strings.Join(names, ".")
}

// named returns the place that a path of names leads to, as the package of fn sees it.
func (h *Helpers) named(v *types.Var, path string, fn *types.Func) *types.Var {
	if path == "" {
		return v
	}
	for name := range strings.SplitSeq(path, ".") {
		if v == nil {
			return nil
		}
		obj, indices, _ := types.LookupFieldOrMethod(v.Type(), true, fn.Pkg(), name)
		if _, field := obj.(*types.Var); !field {
			return nil
		}
		v = h.along(v, v.Type(), indices)
	}
	return v
}

// Field is a field of a parameter that a function puts into a pool.
type Field struct {
	Param int    // Receiver is the receiver
	Path  string // names with dots between
}

// putFields returns the fields of parameters that a body puts into a pool and leaves
// as they are. It gives up on parameters that the body hands to other functions,
// which may set the field.
func (h *Helpers) putFields(sig *types.Signature, body *ast.BlockStmt) []Field {
	params := map[*types.Var]int{}
	if recv := sig.Recv(); recv != nil {
		params[recv] = Receiver
	}
	for i := range sig.Params().Len() {
		params[sig.Params().At(i)] = i
	}
	var all []Field
	seen := map[*types.Var]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, v := range h.PutMemory(call) {
			param, ok := params[h.Root(v)]
			if !ok || h.Root(v) == v || seen[v] {
				continue
			}
			seen[v] = true
			if h.Puts(body, v) && h.constant(body, v) {
				all = append(all, Field{param, h.path(v)})
			}
		}
		return true
	})
	return all
}

// constant reports whether a body neither assigns a place nor hands its root on.
func (h *Helpers) constant(body *ast.BlockStmt, v *types.Var) bool {
	same := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := h.info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				_, name := ast.Unparen(n.X).(*ast.Ident)
				return !name // x in x.f is not handed on
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				p := h.Place(left)
				sel, field := ast.Unparen(left).(*ast.SelectorExpr)
				same = same && (p == nil || p != v) && (!field || !h.Passes(v, h.fieldOf(sel)))
			}
		case *ast.Ident:
			same = same && h.info.Uses[n] != h.Root(v)
		}
		return same
	})
	return same
}

// fieldOf returns the field that a selector names, or nil.
func (h *Helpers) fieldOf(sel *ast.SelectorExpr) *types.Var {
	v, _ := h.info.Uses[sel.Sel].(*types.Var)
	if v == nil || !v.IsField() {
		return nil
	}
	return v.Origin()
}

// PutMemory returns the variables whose memory a call puts into a pool. They include
// fields of its arguments.
func (h *Helpers) PutMemory(call *ast.CallExpr) []*types.Var {
	var all []*types.Var
	for _, e := range h.Put(call) {
		if v := h.Memory(e); v != nil {
			all = append(all, v)
		}
	}
	for _, f := range h.known[h.callee(call)].Fields {
		var e ast.Expr
		if f.Param == Receiver {
			e = h.receiver(call)
		} else if f.Param < len(call.Args) {
			e = call.Args[f.Param]
		}
		if e == nil {
			continue
		}
		v := h.named(h.Memory(e), f.Path, h.callee(call))
		if v != nil {
			all = append(all, v)
		}
	}
	return all
}
