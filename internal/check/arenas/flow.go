package arenas

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A state describes the variables at one place of a function.
type state struct {
	from  map[*types.Var]origin
	ended map[*types.Var]end  // arenas, on every path
	stale map[*types.Var]past // variables whose arena ended after they got their value
	later map[*types.Var]deferral
	marks map[*types.Var]*types.Var // the newest checkpoint of an arena
}

// past is the end of a variable's arena.
type past struct {
	origin
	end end
}

func newState() state {
	return state{map[*types.Var]origin{}, map[*types.Var]end{}, map[*types.Var]past{}, map[*types.Var]deferral{}, map[*types.Var]*types.Var{}}
}

func (s state) clone() state {
	return state{maps.Clone(s.from), maps.Clone(s.ended), maps.Clone(s.stale), maps.Clone(s.later), maps.Clone(s.marks)}
}

func (s state) equal(t state) bool {
	return maps.Equal(s.from, t.from) && maps.Equal(s.ended, t.ended) && maps.Equal(s.stale, t.stale) && maps.Equal(s.later, t.later) && maps.Equal(s.marks, t.marks)
}

// meet keeps the entries of s that t has too. At the start of a loop, memory that is
// stale on the way back counts as stale: a loop can have a second iteration.
func (s state) meet(t state, loop bool) {
	if loop {
		for v, p := range t.stale {
			if s.from[v].arena == nil {
				s.stale[v] = p
			}
		}
	} else {
		same(s.stale, t.stale)
	}
	for v, o := range s.from {
		if o, ok := o.meet(t.from[v]); ok {
			s.from[v] = o
		} else {
			delete(s.from, v)
		}
	}
	same(s.ended, t.ended)
	same(s.later, t.later)
	same(s.marks, t.marks)
}

func same[V comparable](a, b map[*types.Var]V) {
	maps.DeleteFunc(a, func(v *types.Var, was V) bool { return b[v] != was })
}

// rounds bounds the visits of a block. A function that needs more is not analyzed.
const rounds = 8

// check computes the state at the start of each block, then reports.
func (f *function) check() {
	first := f.graph.Blocks[0]
	before := map[*cfg.Block][]*cfg.Block{}
	for _, b := range f.graph.Blocks {
		for _, next := range b.Succs {
			before[next] = append(before[next], b)
		}
	}
	in, out, visits := map[*cfg.Block]state{first: f.atStart()}, map[*cfg.Block]state{}, map[*cfg.Block]int{}
	back := backEdges(first)
	for queue := []*cfg.Block{first}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if visits[b]++; visits[b] > rounds {
			return // the states claim too much until they settle
		}
		out[b] = f.through(b, in[b].clone())
		for _, next := range b.Succs {
			old, seen := in[next]
			if in[next] = f.join(before[next], next, out, back); !seen || !in[next].equal(old) {
				queue = append(queue, next)
			}
		}
	}
	f.speak = true
	for _, b := range f.graph.Blocks {
		if s, reached := in[b]; reached {
			f.through(b, s.clone())
		}
	}
}

// join returns the state at the start of a block. Edges that return to the block
// count last.
func (f *function) join(before []*cfg.Block, b *cfg.Block, out map[*cfg.Block]state, back map[[2]*cfg.Block]bool) (s state) {
	begun := b == f.graph.Blocks[0]
	if begun {
		s = f.atStart()
	}
	for _, loop := range []bool{false, true} {
		for _, p := range before {
			t, reached := out[p]
			switch {
			case !reached || back[[2]*cfg.Block{p, b}] != loop:
			case !begun:
				s, begun = t.clone(), true
			default:
				s.meet(t, loop)
			}
		}
	}
	return s
}

// backEdges are those that return to a block on the way to themselves.
func backEdges(first *cfg.Block) map[[2]*cfg.Block]bool {
	edges, seen, open := map[[2]*cfg.Block]bool{}, map[*cfg.Block]bool{first: true}, map[*cfg.Block]bool{first: true}
	type visit struct {
		block *cfg.Block
		next  int
	}
	for stack := []visit{{first, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(top.block.Succs) {
			open[top.block] = false
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.block.Succs[top.next]
		top.next++
		if open[next] {
			edges[[2]*cfg.Block{top.block, next}] = true
		}
		if !seen[next] {
			seen[next], open[next] = true, true
			stack = append(stack, visit{next, 0})
		}
	}
	return edges
}

// through changes s as the block does.
func (f *function) through(b *cfg.Block, s state) state {
	for i, n := range b.Nodes {
		f.block, f.index = b, i
		f.node(n, s)
	}
	return s
}

func (f *function) node(n ast.Node, s state) {
	switch n := n.(type) {
	case *ast.Ident:
		if !f.ranges[n] {
			f.uses(n, s)
			return
		}
		s.forget(rewrite.Variable(f.info, n)) // it is assigned by range
	case *ast.ValueSpec:
		f.assign(names(n.Names), n.Values, s)
		if len(n.Values) == 0 {
			for _, id := range n.Names {
				s.zero(rewrite.Variable(f.info, id))
			}
		}
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs, s)
	case *ast.ReturnStmt:
		f.uses(n, s)
		f.returns(n, s)
	case *ast.DeferStmt:
		f.uses(n.Call, s)
		f.defers(n.Call, s)
	case *ast.GoStmt:
		f.uses(n, s)
		f.starts(n, s)
	case *ast.SendStmt:
		f.uses(n, s)
		if o := f.origin(n.Value, s); f.endsAfter(o.arena, s) && !f.waits {
			f.report(Escape, n, n, fmt.Sprintf("memory of the arena %s is sent on a channel, but %s ends in this function", o.arena.Name(), o.arena.Name()))
		}
	case *ast.ExprStmt:
		f.uses(n, s)
		if call, ok := n.X.(*ast.CallExpr); ok {
			f.call(call, s)
		}
	default:
		f.uses(n, s)
	}
}

func names(ids []*ast.Ident) (all []ast.Expr) {
	for _, id := range ids {
		all = append(all, id)
	}
	return all
}

// forget drops all entries of a variable.
func (s state) forget(v *types.Var) {
	delete(s.from, v)
	delete(s.stale, v)
	delete(s.ended, v)
	delete(s.later, v)
}

// call follows the effects of a call on arenas and messages.
func (f *function) call(call *ast.CallExpr, s state) {
	if v, from := f.decoded(call); v != nil {
		delete(s.stale, v)
		switch {
		case from.arena == nil:
			delete(s.from, v)
		case s.from[v].arena != from.arena || s.from[v].hold != memory: // else the variable itself dies, too
			from.mark = s.marks[from.arena]
			s.from[v] = from
		}
		return
	}
	f.keeps(call, s)
	if v, e := f.ends(call); e != none && (f.arenas[v] || f.owns(v)) {
		if e == freed && s.later[v] == certain {
			f.freedTwice(v, call)
		}
		s.end(v, e)
	}
	if v, mark := f.rewinds(call); v != nil {
		s.rewind(v, mark)
	}
}

// end makes the memory of an arena stale.
func (s state) end(arena *types.Var, e end) {
	for v, o := range s.from {
		if o.arena == arena && (e == freed || o.hold != slab) {
			s.stale[v] = past{o, e}
			delete(s.from, v)
		}
	}
	delete(s.marks, arena)
	if e == freed {
		s.ended[arena] = freed
	}
}

func (f *function) assign(left, right []ast.Expr, s state) {
	for _, r := range right {
		f.uses(r, s)
	}
	origins := make([]origin, len(left))
	if len(left) == len(right) {
		for i, r := range right {
			origins[i] = f.origin(r, s)
		}
	} else if len(right) == 1 {
		if call, ok := ast.Unparen(right[0]).(*ast.CallExpr); ok {
			origins[0] = f.result(call, s)
		}
	}
	for _, r := range right {
		if call, ok := ast.Unparen(r).(*ast.CallExpr); ok {
			f.call(call, s)
		}
	}
	for i, l := range left {
		v := rewrite.Variable(f.info, l)
		if v == nil {
			if star, ok := ast.Unparen(l).(*ast.StarExpr); !ok || !f.holdsContents(star.X, s) {
				f.uses(l, s)
			}
			f.stores(l, origins[i], s)
			continue
		}
		if v.Parent() == f.pass.Pkg.Scope() {
			f.stores(l, origins[i], s)
			continue
		}
		s.forget(v)
		if o := origins[i]; o != (origin{}) && reference(v.Type()) {
			s.from[v] = o
		}
		if len(left) == len(right) {
			if a := f.marks(right[i]); a != nil {
				s.mark(a, v)
			}
		}
	}
}

// holdsContents reports whether e is a message whose arena ended: it may be reset.
func (f *function) holdsContents(e ast.Expr, s state) bool {
	h := s.stale[rewrite.Variable(f.info, e)].hold
	return h == contents || h == withoutText
}

// reference reports whether a value of a type can share memory.
func reference(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0 || t.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Struct:
		return true
	}
	return false
}

// uses reports the variables in n whose arena ended before.
func (f *function) uses(n ast.Node, s state) {
	if len(s.stale) == 0 && len(s.ended) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it may run at another time
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				_, pointers := f.info.TypeOf(n.X).Underlying().(*types.Pointer)
				return !pointers && !f.info.Types[n.X].IsNil() && !f.info.Types[n.Y].IsNil()
			}
		case *ast.CallExpr:
			if rewrite.IsBuiltin(f.info, n, "len") || rewrite.IsBuiltin(f.info, n, "cap") {
				return rewrite.Variable(f.info, n.Args[0]) == nil
			}
			if v, _ := f.decoded(n); v != nil || f.readsText(n, s) {
				return false
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Reset" && f.holdsContents(sel.X, s) {
				s.forget(rewrite.Variable(f.info, sel.X))
				return false
			}
		case *ast.SelectorExpr:
			return !f.readsText(n, s)
		case *ast.Ident:
			v := rewrite.Variable(f.info, n)
			if p := s.stale[v]; p.arena != nil && p.hold != holder {
				f.report(Use, v, n, fmt.Sprintf("%s is used after %s.%s, which ended its memory", v.Name(), p.arena.Name(), p.end))
			}
			if s.ended[v] == freed && f.arenas[v] {
				f.report(Use, v, n, fmt.Sprintf("the arena %s is used after its Free", v.Name()))
			}
		}
		return true
	})
}
