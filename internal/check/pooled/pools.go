package pooled

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Pool is a pool that one package uses: a variable, or a field of a type.
type Pool struct {
	Puts   []Put
	Scopes []*Scope // the functions that handle its values
	Whole  bool     // Scopes holds all of the package's functions that do
	Class  bool     // it is one of several in an array, which mostly have values of one size each
}

// Put is a call that gives a value back.
type Put struct {
	Call    *ast.CallExpr
	Operand ast.Expr
}

// maxScopes bounds the functions of one pool that are read. The value of a pool
// that reaches more of them is not understood here.
const maxScopes = 200

type surveyor struct {
	*Helpers
	decls map[*types.Func]*ast.FuncDecl
	pools map[types.Object]*Pool
	via   map[*types.Func]map[types.Object]bool // the pools that a helper puts into or gets from
}

// Pools returns the pools of a package whose values have a type that is known
// there, in the order of their first Put.
func (h *Helpers) Pools() []*Pool { return h.pools() }

func (h *Helpers) survey(root inspector.Cursor) []*Pool {
	s := &surveyor{h, map[*types.Func]*ast.FuncDecl{}, map[types.Object]*Pool{}, map[*types.Func]map[types.Object]bool{}}
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		decl := c.Node().(*ast.FuncDecl)
		if fn, ok := h.info.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
			s.decls[fn] = decl
		}
	}
	var order []types.Object
	for c := range root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		obj := s.direct(call)
		if obj == nil {
			continue
		}
		if decl, ok := rewrite.Function(c).Node().(*ast.FuncDecl); ok {
			if fn, ok := h.info.Defs[decl.Name].(*types.Func); ok && (h.known[fn].Gets || len(h.known[fn].Puts) > 0) {
				if s.via[fn] == nil {
					s.via[fn] = map[types.Object]bool{}
				}
				s.via[fn][obj] = true
			}
		}
		for _, e := range h.Put(call) {
			if kind(h.info.TypeOf(e)) == values || opaque(h.info.TypeOf(e)) {
				continue
			}
			if s.pools[obj] == nil {
				s.pools[obj] = &Pool{Whole: true}
				order = append(order, obj)
			}
			s.pools[obj].Puts = append(s.pools[obj].Puts, Put{call, e})
			s.pools[obj].Class = s.pools[obj].Class || indexed(call)
		}
	}
	users := s.users(root)
	var all []*Pool
	for _, obj := range order {
		for _, decl := range users[obj] {
			s.visit(s.pools[obj], obj, decl, nil)
		}
		all = append(all, s.pools[obj])
	}
	return all
}

// users returns for each pool the functions that get from it or put into it, in the
// order of the source.
func (s *surveyor) users(root inspector.Cursor) map[types.Object][]*ast.FuncDecl {
	all := map[types.Object][]*ast.FuncDecl{}
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		decl := c.Node().(*ast.FuncDecl)
		use := func(obj types.Object) {
			if of := all[obj]; s.pools[obj] != nil && (len(of) == 0 || of[len(of)-1] != decl) {
				all[obj] = append(of, decl)
			}
		}
		for c := range c.Preorder((*ast.CallExpr)(nil)) {
			call := c.Node().(*ast.CallExpr)
			use(s.direct(call))
			for obj := range s.via[s.callee(call)] {
				use(obj)
			}
		}
	}
	return all
}

// indexed reports whether the receiver of a method call is an element.
func indexed(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, index := ast.Unparen(sel.X).(*ast.IndexExpr)
	return index
}

// opaque reports whether a type does not determine the type of the value.
func opaque(t types.Type) bool {
	_, parameter := types.Unalias(t).(*types.TypeParam)
	i, _ := t.Underlying().(*types.Interface)
	return parameter || i != nil && i.NumMethods() == 0
}

// direct returns the pool of a call of Get or Put: of sync.Pool, or of a wrapper
// that serves values of any type.
func (s *surveyor) direct(call *ast.CallExpr) types.Object {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn := s.callee(call)
	if !ofPool(fn, "Put") && !ofPool(fn, "Get") {
		if fn == nil || fn.Signature().Recv() == nil {
			return nil
		}
		sig, known := fn.Signature(), s.known[fn]
		generic := known.Gets && sig.Results().Len() == 1 && opaque(sig.Results().At(0).Type()) ||
			slices.Equal(known.Puts, []int{0}) && opaque(sig.Params().At(0).Type())
		if !generic {
			return nil
		}
	}
	return s.object(sel)
}

// object returns the variable or field that holds the receiver of a method.
func (s *surveyor) object(sel *ast.SelectorExpr) types.Object {
	if m := s.info.Selections[sel]; m != nil && len(m.Index()) > 1 { // embedded
		if st, ok := deref(m.Recv()).Underlying().(*types.Struct); ok {
			return st.Field(m.Index()[0])
		}
	}
	x := ast.Unparen(sel.X)
	for {
		switch e := x.(type) {
		case *ast.IndexExpr:
			x = e.X
		case *ast.UnaryExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.Ident:
			return s.info.Uses[e]
		case *ast.SelectorExpr:
			return s.info.Uses[e.Sel]
		default:
			return nil
		}
	}
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// visit adds a function's body to a pool's scopes if it handles a value of the
// pool, together with the functions of the package to which it hands the value.
func (s *surveyor) visit(pool *Pool, obj types.Object, decl *ast.FuncDecl, params map[*types.Var]string) {
	for _, scope := range pool.Scopes {
		if scope.Body != decl.Body {
			continue
		}
		for v, p := range params {
			if _, known := scope.paths[v]; known {
				delete(params, v)
			} else {
				scope.paths[v] = p
			}
		}
		if len(params) == 0 {
			return
		}
		s.spread(pool, obj, scope)
		return
	}
	if len(pool.Scopes) == maxScopes {
		pool.Whole = false
		return
	}
	fn, _ := s.info.Defs[decl.Name].(*types.Func)
	scope := &Scope{decl.Body, fn, s.info, params, map[string]bool{}}
	if scope.paths == nil {
		scope.paths = map[*types.Var]string{}
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.of(call, obj) {
			for _, e := range s.Put(call) {
				if v := s.Memory(e); v != nil && s.Root(v) == v && scope.paths[v] == "" {
					scope.paths[v] = ""
				} else if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
					scope.puts[types.ExprString(sel)] = true
				}
			}
		}
		// Whoever has the struct of a literal may reset the value.
		if field, ok := n.(*ast.KeyValueExpr); ok && s.Get(field.Value) && s.of(origin(field.Value), obj) {
			pool.Whole = false
		}
		s.assigned(n, func(v *types.Var, from ast.Expr) {
			if s.Get(from) && s.of(origin(from), obj) {
				scope.paths[v] = ""
			}
		})
		return true
	})
	if len(scope.paths) > 0 || len(scope.puts) > 0 {
		pool.Scopes = append(pool.Scopes, scope)
		s.spread(pool, obj, scope)
	}
}

// of reports whether a call gets from the pool or puts into it.
func (s *surveyor) of(call *ast.CallExpr, obj types.Object) bool {
	return call != nil && (s.direct(call) == obj || s.via[s.callee(call)][obj])
}

// origin returns the call that takes a value from a pool.
func origin(e ast.Expr) *ast.CallExpr {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return origin(e.X)
	case *ast.StarExpr:
		return origin(e.X)
	case *ast.CallExpr:
		return e
	}
	return nil
}

// spread finds the variables of a scope that hold parts of the value, and follows
// them into the functions that the scope calls.
func (s *surveyor) spread(pool *Pool, obj types.Object, scope *Scope) {
	for known := -1; known < len(scope.paths); {
		known = len(scope.paths)
		ast.Inspect(scope.Body, func(n ast.Node) bool {
			s.assigned(n, func(v *types.Var, from ast.Expr) {
				if _, known := scope.paths[v]; known || v.IsField() || kind(v.Type()) == values {
					return
				}
				if p, ok := scope.Part(from); ok {
					scope.paths[v] = p
				}
			})
			return true
		})
	}
	ast.Inspect(scope.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := s.callee(call)
		decl := s.decls[fn]
		if decl == nil {
			return true
		}
		params := map[*types.Var]string{}
		if recv := fn.Signature().Recv(); recv != nil {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				if p, ok := scope.Receiver(sel); ok {
					params[recv] = p
				}
			}
		}
		for i, arg := range call.Args {
			if p, ok := scope.Part(arg); ok && i < fn.Signature().Params().Len() {
				params[fn.Signature().Params().At(i)] = p
			}
		}
		if len(params) > 0 {
			s.visit(pool, obj, decl, params)
		}
		return true
	})
}

// Follows reports whether the pool's scopes hold the function that a call names.
func (h *Helpers) Follows(pool *Pool, call *ast.CallExpr) bool { return h.Followed(pool, call) != nil }

// Followed returns the body of the function that a call names, nil if the pool's scopes do not hold it.
func (h *Helpers) Followed(pool *Pool, call *ast.CallExpr) *ast.BlockStmt {
	fn := h.callee(call)
	for _, s := range pool.Scopes {
		if fn != nil && s.fn == fn {
			return s.Body
		}
	}
	return nil
}
