package poolput

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

type fate int

const (
	gone     fate = iota + 1 // Put has run
	deferred                 // Put runs when the function returns
)

// state describes the variables at one place of a function.
type state struct {
	fate map[*types.Var]fate       // variables that were put on every path
	of   map[*types.Var]*types.Var // variables that share memory with another one, and which
	last map[*types.Var]bool       // variables whose memory a deferred call uses
}

func newState() state {
	return state{map[*types.Var]fate{}, map[*types.Var]*types.Var{}, map[*types.Var]bool{}}
}

func (s state) clone() state { return state{maps.Clone(s.fate), maps.Clone(s.of), maps.Clone(s.last)} }

func (s state) size() int { return len(s.fate) + len(s.of) + len(s.last) }

// owner returns the variable through which the memory of v was taken.
func (s state) owner(v *types.Var) *types.Var {
	if o := s.of[v]; o != nil {
		return o
	}
	return v
}

// assign forgets the value that v held, and notes the owner of the new one.
func (f *function) assign(s state, v, owner *types.Var) {
	for d, o := range s.of {
		if o == v {
			delete(s.of, d)
			if s.fate[v] != 0 {
				s.fate[d] = s.fate[v]
				f.by[d] = f.by[v]
			}
		}
	}
	delete(s.fate, v)
	delete(s.of, v)
	delete(s.last, v)
	if owner != nil && owner != v {
		s.of[v] = owner
	}
}

type function struct {
	*pooled.Helpers
	pass     *analysis.Pass
	results  *types.Tuple
	vars     map[*types.Var]bool
	by       map[*types.Var]string // the name of the function that put a variable
	reported map[*types.Var]bool
	selected map[*ast.SendStmt]bool // the sends that are cases of a select
	writers  *writers
	decl     *types.Func // holds the function; nil for a variable's initializer
	speak    bool        // report, rather than only compute states
}

// check computes the state at the start of each block, then reports.
func (f *function) check(graph *cfg.CFG) {
	in := map[*cfg.Block]state{graph.Blocks[0]: newState()}
	for queue := []*cfg.Block{graph.Blocks[0]}; len(queue) > 0; queue = queue[1:] {
		out := f.through(queue[0], in[queue[0]].clone())
		for _, next := range queue[0].Succs {
			old, seen := in[next]
			joined := out.clone()
			if seen {
				joined = old.clone()
				maps.DeleteFunc(joined.fate, func(v *types.Var, was fate) bool { return out.fate[v] != was })
				maps.DeleteFunc(joined.last, func(v *types.Var, _ bool) bool { return !out.last[v] })
				maps.DeleteFunc(joined.of, func(v, was *types.Var) bool { return out.of[v] != was })
			}
			if !seen || joined.size() != old.size() {
				in[next] = joined
				queue = append(queue, next)
			}
		}
	}
	f.speak = true
	f.goroutines(graph)
	for _, b := range graph.Blocks {
		start, reached := in[b]
		if !reached {
			continue
		}
		f.through(b, start.clone())
		s := state{map[*types.Var]fate{}, maps.Clone(start.of), map[*types.Var]bool{}}
		s = f.through(b, s)
		seen := map[*cfg.Block]bool{}
		for len(s.fate) > 0 && len(b.Succs) == 1 && !seen[b] {
			seen[b] = true
			b = b.Succs[0]
			s = f.through(b, s)
		}
	}
}

// through changes s as the block does.
func (f *function) through(b *cfg.Block, s state) state {
	for _, n := range b.Nodes {
		f.node(n, s)
	}
	return s
}

func (f *function) node(n ast.Node, s state) {
	switch n := n.(type) {
	case *ast.Ident: // a variable that range assigns
		f.renew(s, rewrite.Variable(f.pass.TypesInfo, n))
		return
	case *ast.ValueSpec:
		f.uses(n, s)
		f.calls(n, s)
		f.assignments(s, identifiers(n.Names), n.Values)
		return
	case *ast.AssignStmt:
		for _, right := range n.Rhs {
			f.uses(right, s)
		}
		for _, left := range n.Lhs {
			f.assigned(left, s)
		}
		f.calls(n, s)
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			f.assignments(s, n.Lhs, n.Rhs)
		}
		return
	case *ast.ReturnStmt:
		for _, result := range n.Results {
			f.returned(result, s)
		}
		if len(n.Results) == 0 {
			f.bare(n, s)
		}
	}
	f.uses(n, s)
	f.calls(n, s)
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			f.put(call, s, gone)
		}
	case *ast.DeferStmt:
		if lit, ok := n.Call.Fun.(*ast.FuncLit); ok && len(n.Call.Args) == 0 {
			for v := range f.vars {
				owner := s.owner(v)
				if s.fate[owner] == 0 && f.Puts(lit.Body, v) {
					s.fate[owner] = deferred
					f.by[owner] = "Put"
				}
			}
			return
		}
		f.put(n.Call, s, deferred)
		f.later(n.Call, s)
	}
}

// later notes the variables that a deferred call, which puts nothing, is given.
func (f *function) later(call *ast.CallExpr, s state) {
	if len(f.PutMemory(call)) > 0 {
		return
	}
	given := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		given = append(given, sel.X)
	}
	for _, e := range given {
		if v := f.Memory(e); v != nil && f.vars[s.owner(v)] {
			s.last[s.owner(v)] = true
		}
	}
}

func identifiers(names []*ast.Ident) []ast.Expr {
	var all []ast.Expr
	for _, n := range names {
		all = append(all, n)
	}
	return all
}

func (f *function) assignments(s state, left, right []ast.Expr) {
	owners := make([]*types.Var, len(left))
	for i := range left {
		if i < len(right) && (i == 0 || len(left) == len(right)) {
			if v := f.Memory(right[i]); v != nil && f.vars[s.owner(v)] {
				owners[i] = s.owner(v)
			}
		}
	}
	for i, left := range left {
		f.overwritten(left, s)
		v := f.Place(left)
		if v == nil || owners[i] == v {
			continue
		}
		f.renew(s, v)
		if owners[i] != nil && (f.Root(v) == v || f.vars[v]) {
			f.assign(s, v, owners[i])
		}
	}
}

// put notes the variables that a call gives back.
func (f *function) put(call *ast.CallExpr, s state, to fate) {
	for _, v := range f.PutMemory(call) {
		if !f.vars[s.owner(v)] {
			continue
		}
		v = s.owner(v)
		if s.last[v] {
			f.report(call, v, v.Name()+" is put into the pool before a deferred call uses it")
		}
		if to == gone || s.fate[v] == 0 {
			s.fate[v] = to
			f.by[v] = "Put"
			if name := rewrite.Callee(f.pass.TypesInfo, call); name != "(*sync.Pool).Put" {
				f.by[v] = called(call)
			}
		}
	}
}

// called returns the name of the function in a call.
func called(call *ast.CallExpr) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	case *ast.IndexExpr:
		return called(&ast.CallExpr{Fun: fun.X})
	}
	return "Put"
}

// returned reports a result that shares memory with a variable whose Put is
// deferred.
func (f *function) returned(result ast.Expr, s state) {
	if v := f.Memory(result); v != nil {
		owner := s.owner(v)
		if s.fate[owner] != deferred && s.fate[v] != deferred {
			return
		}
		f.report(result, owner, fmt.Sprintf("%s is returned, but the deferred %s gives its memory back to the pool", owner.Name(), f.by[owner]))
		return
	}
	switch e := ast.Unparen(result).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			f.returned(e.X, s)
		}
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			f.returned(element, s)
		}
	}
}

// bare reports results with a name that a return without operands hands on.
func (f *function) bare(n ast.Node, s state) {
	for v := range f.results.Variables() {
		if owner := s.owner(v); s.fate[owner] != 0 {
			f.report(n, owner, fmt.Sprintf("%s is returned, but %s gives its memory back to the pool", v.Name(), f.by[owner]))
		}
	}
}

// uses reports the variables in n that were put before.
func (f *function) uses(n ast.Node, s state) {
	info := f.pass.TypesInfo
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it may run at another time
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				return f.Place(n.X) == nil && f.Place(n.Y) == nil
			}
		case *ast.CallExpr:
			if f.retargets(n, s) {
				return false
			}
			if rewrite.IsBuiltin(info, n, "len") || rewrite.IsBuiltin(info, n, "cap") {
				return f.Place(n.Args[0]) == nil
			}
			for _, v := range f.PutMemory(n) {
				if s.fate[s.owner(v)] != 0 {
					f.report(n, s.owner(v), v.Name()+" is put into the pool twice")
					return false
				}
			}
		case *ast.Ident, *ast.SelectorExpr:
			v := f.Place(n.(ast.Expr))
			if v == nil {
				return true
			}
			owner := s.owner(v)
			switch {
			case s.fate[v] == gone:
				f.report(n, v, fmt.Sprintf("%s is used after %s gave it back to the pool", v.Name(), f.by[v]))
			case s.fate[owner] == gone:
				f.report(n, owner, fmt.Sprintf("%s shares memory with %s, and is used after %s gave it back to the pool", v.Name(), owner.Name(), f.by[owner]))
			}
		}
		return true
	})
}

// retargets reports whether a call gives a reader other memory, as r.Reset(b) does
// where r shares memory with another variable.
func (f *function) retargets(call *ast.CallExpr, s state) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Reset" || len(call.Args) == 0 {
		return false
	}
	v := f.Place(sel.X)
	return v != nil && s.owner(v) != v
}

func (f *function) report(n ast.Node, v *types.Var, message string) {
	if f.speak && !f.reported[v] {
		f.reported[v] = true
		f.pass.ReportRangef(n, "%s", message)
	}
}
