package pooled

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// sharing lists functions of the standard library whose result shares memory with
// the receiver or the first argument.
var sharing = map[string]bool{
	"(*bytes.Buffer).Bytes":           true,
	"(*bytes.Buffer).Next":            true,
	"(*bytes.Buffer).AvailableBuffer": true,
	"bytes.NewBuffer":                 true,
	"bytes.NewReader":                 true,
	"io.NopCloser":                    true,
	"io.LimitReader":                  true,
	"bufio.NewReader":                 true,
	"bufio.NewReaderSize":             true,
	"bufio.NewScanner":                true,
	"bytes.TrimSpace":                 true,
	"bytes.Trim":                      true,
	"bytes.TrimLeft":                  true,
	"bytes.TrimRight":                 true,
	"bytes.TrimPrefix":                true,
	"bytes.TrimSuffix":                true,
	"slices.Clip":                     true,
	"unsafe.String":                   true,
	"unsafe.Slice":                    true,
	"unsafe.SliceData":                true,
	"unsafe.StringData":               true,
}

// Memory returns the variable with which the value of e shares memory, or nil. A
// field counts as a variable, as Place describes.
func (h *Helpers) Memory(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return rewrite.Variable(h.info, e)
	case *ast.SelectorExpr:
		if k := kind(h.info.TypeOf(e)); k == pointers || k == sequences {
			return h.Place(e)
		}
	case *ast.SliceExpr:
		return h.Memory(e.X)
	case *ast.TypeAssertExpr:
		return h.Memory(e.X)
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return nil
		}
		if index, ok := ast.Unparen(e.X).(*ast.IndexExpr); ok && kind(h.info.TypeOf(index.X)) == sequences {
			return h.Memory(index.X)
		}
		if kind(h.info.TypeOf(e.X)) == sequences {
			return h.Memory(e.X)
		}
	case *ast.StarExpr:
		if k := kind(h.info.TypeOf(e)); k == sequences || k == text {
			return h.Memory(e.X)
		}
	case *ast.CallExpr:
		return h.memoryOfCall(e)
	}
	return nil
}

func (h *Helpers) memoryOfCall(call *ast.CallExpr) *types.Var {
	if h.info.Types[call.Fun].IsType() {
		if len(call.Args) == 1 && kind(h.info.TypeOf(call)) == kind(h.info.TypeOf(call.Args[0])) {
			return h.Memory(call.Args[0])
		}
		return nil
	}
	known := h.known[h.callee(call)]
	if !sharing[h.name(call)] && !known.Shares {
		return nil
	}
	return h.named(h.shared(call), known.Through, h.callee(call))
}

// Lazy returns the variable that the result of a call may read later, as a reader
// does, or nil.
func (h *Helpers) Lazy(e ast.Expr) *types.Var {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	if name := h.name(call); name != "net/http.ReadResponse" && name != "net/http.ReadRequest" {
		return nil
	}
	return h.Memory(call.Args[0])
}

// shared returns the variable of the receiver or the first argument.
func (h *Helpers) shared(call *ast.CallExpr) *types.Var {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := h.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return h.memoryOfReceiver(sel.X, s)
		}
	}
	if len(call.Args) > 0 {
		return h.Memory(call.Args[0])
	}
	return nil
}

// memoryOfReceiver returns the variable whose memory a method gets as its receiver.
// A struct that is part of another one has no memory of its own.
func (h *Helpers) memoryOfReceiver(x ast.Expr, s *types.Selection) *types.Var {
	for kind(h.info.TypeOf(x)) == values {
		sel, field := ast.Unparen(x).(*ast.SelectorExpr)
		if !field {
			break
		}
		x = sel.X
	}
	v := h.Place(x)
	if kind(h.info.TypeOf(x)) != values {
		v = h.Memory(x)
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] { // embedded
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok || v == nil {
			return nil
		}
		if t = st.Field(i).Type(); kind(t) != values {
			v = h.field(v, st.Field(i))
		}
	}
	return v
}

// name returns the name of a function, or of one of package unsafe.
func (h *Helpers) name(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if b, ok := h.info.Uses[sel.Sel].(*types.Builtin); ok {
			return "unsafe." + b.Name()
		}
	}
	return rewrite.Callee(h.info, call)
}

type kindOf int

const (
	values kindOf = iota
	pointers
	sequences
	text
)

// kind tells apart the types between which a conversion copies no memory.
func kind(t types.Type) kindOf {
	if t == nil {
		return values
	}
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map:
		return pointers
	case *types.Slice:
		return sequences
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return pointers
		}
		if t.Info()&types.IsString != 0 {
			return text
		}
	}
	return values
}

// returnsMemory reports whether the result of a function, bytes or a string, is
// memory of the receiver, or of the first parameter if there is no receiver, and
// through which fields. Of a
// receiver's fields only the one that a method Bytes returns counts: others may
// hold memory that the value does not own.
func (h *Helpers) returnsMemory(sig *types.Signature, body *ast.BlockStmt) (shares bool, through string) {
	if sig.Results().Len() != 1 {
		return false, ""
	}
	if k := kind(sig.Results().At(0).Type()); k != sequences && k != text {
		return false, ""
	}
	owner := sig.Recv()
	if owner == nil && sig.Params().Len() > 0 {
		owner = sig.Params().At(0)
	}
	if owner == nil {
		return false, ""
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				v := h.Memory(h.stripped(sig, result))
				if v == owner || v != nil && h.Root(v) == owner && !shares {
					shares, through = true, h.path(v)
				}
			}
		}
		return true
	})
	return shares, through
}

// stripped strips the selection of a slice's field from the result of a method Bytes.
func (h *Helpers) stripped(sig *types.Signature, e ast.Expr) ast.Expr {
	if sig.Recv() == nil || sig.Params().Len() != 0 {
		return e
	}
	if slice, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		return h.stripped(sig, slice.X)
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && kind(h.info.TypeOf(sel)) == sequences {
		if s := h.info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
			return sel.X
		}
	}
	return e
}

// returnsPooled reports whether a return hands on a value that was taken from a
// pool.
func (h *Helpers) returnsPooled(body *ast.BlockStmt) bool {
	taken := h.Taken(body)
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				found = found || h.Get(n.Results[0]) || taken[h.Memory(n.Results[0])]
			}
		}
		return true
	})
	return found
}

// Taken returns the variables in a function's body to which it assigns a value
// from a pool.
func (h *Helpers) Taken(body *ast.BlockStmt) map[*types.Var]bool {
	taken := map[*types.Var]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		h.assigned(n, func(v *types.Var, from ast.Expr) {
			if h.Get(from) || taken[h.Memory(from)] {
				taken[v] = true
			}
		})
		return true
	})
	delete(taken, nil)
	return taken
}

// assigned calls set for each variable that a statement assigns, with the
// expression that it is assigned.
func (h *Helpers) assigned(n ast.Node, set func(*types.Var, ast.Expr)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if v := rewrite.Variable(h.info, left); v != nil && (i == 0 || len(n.Lhs) == len(n.Rhs)) {
				set(v, n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if v := rewrite.Variable(h.info, name); v != nil && i < len(n.Values) {
				set(v, n.Values[i])
			}
		}
	}
}
