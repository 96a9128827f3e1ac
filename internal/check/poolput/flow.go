package poolput

import (
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

// assign forgets the value that v held, and records the owner of the new one.
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
	selected map[*ast.SendStmt]bool  // the sends that are cases of a select
	lazy     map[*types.Var]bool     // variables that hold a reader of their owner, which not each use reads
	outer    map[*types.Var]ast.Node // assigned variables that outlive the function, and where
	closures map[*types.Var]*ast.BlockStmt
	writers  *writers
	literal  ast.Node    // the function, declared or not
	around   ast.Node    // the declared function that holds it, or literal again
	decl     *types.Func // the same; nil for a variable's initializer
	fields   bool        // vars has fields
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
		if out := f.through(b, start.clone()); len(b.Succs) == 0 {
			f.left(out)
		}
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
		for _, right := range n.Rhs {
			if call, ok := ast.Unparen(right).(*ast.CallExpr); ok {
				f.put(call, s, gone)
			}
		}
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
					f.give(s, owner, deferred, "Put")
				}
			}
			return
		}
		f.put(n.Call, s, deferred)
		f.later(n.Call, s)
	}
}

// later records the arguments of a deferred call that puts nothing.
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
			v, lazy := f.Memory(right[i]), f.Lazy(right[i])
			if v != nil && f.vars[s.owner(v)] {
				owners[i] = s.owner(v)
			} else if lazy != nil && f.vars[s.owner(lazy)] {
				owners[i] = s.owner(lazy)
				f.lazy[f.Place(left[i])] = true
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
			if f.Root(v) == v && !within(v, f.literal) {
				f.outer[v] = left
			}
		}
	}
}

// put records the variables that a call gives back.
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
			by := "Put"
			if name := rewrite.Callee(f.pass.TypesInfo, call); name != "(*sync.Pool).Put" {
				by = called(call)
			}
			f.give(s, v, to, by)
		}
	}
}

// give records that a variable was put, together with its fields whose memory is
// reused.
func (f *function) give(s state, v *types.Var, to fate, by string) {
	s.fate[v], f.by[v] = to, by
	for field := range f.vars {
		if to == gone && f.Root(field) == v && field != v && s.fate[field] == 0 && f.Reused(field) {
			s.fate[field], f.by[field] = to, by
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
