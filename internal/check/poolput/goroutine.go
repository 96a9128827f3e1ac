package poolput

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// goroutines reports a variable that is put while a goroutine that mentions it may
// still run, or after it was sent on a channel, and one that is used although such a
// goroutine puts it. A place where the function could wait for the goroutine ends the
// search.
func (f *function) goroutines(graph *cfg.CFG) {
	seen := map[*types.Var]map[*cfg.Block]bool{} // no block is searched twice, even from several goroutines
	for _, b := range graph.Blocks {
		for i, n := range b.Nodes {
			if send, ok := n.(*ast.SendStmt); ok && !f.selected[send] {
				for _, v := range f.contents(send.Value) {
					if f.vars[v] && !f.reported[v] {
						p := &pursuit{f, v, false, f.deferredBefore(graph, n.Pos(), v), "after it was sent on a channel", map[*cfg.Block]bool{}}
						p.nodes(b, b.Nodes[i+1:])
					}
				}
			}
			call, body := f.started(n)
			if call == nil || body != nil && f.synchronizes(body) {
				continue
			}
			for v := range f.vars {
				if f.reported[v] || !f.mentions(call, v) {
					continue
				}
				if seen[v] == nil {
					seen[v] = map[*cfg.Block]bool{}
				}
				p := &pursuit{f, v, body != nil && f.Puts(body, v), f.deferredBefore(graph, n.Pos(), v), "while a goroutine may still use it", seen[v]}
				p.nodes(b, b.Nodes[i+1:])
			}
		}
	}
}

// contents returns the variables with whose memory a value shares its own, or that of
// the parts of a literal.
func (f *function) contents(e ast.Expr) []*types.Var {
	for _, v := range []*types.Var{f.Memory(e), f.Lazy(e)} {
		if v != nil {
			return []*types.Var{v}
		}
	}
	var all []*types.Var
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return f.contents(e.X)
		}
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			all = append(all, f.contents(element)...)
		}
	}
	return all
}

// started returns the call that runs in a goroutine started by n, and its body if
// it is a literal.
func (f *function) started(n ast.Node) (ast.Node, *ast.BlockStmt) {
	switch n := n.(type) {
	case *ast.GoStmt:
		if lit, ok := n.Call.Fun.(*ast.FuncLit); ok {
			return n.Call, lit.Body
		}
		return n.Call, nil
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || called(call) != "Go" {
			return nil, nil
		}
		if lit, ok := call.Args[0].(*ast.FuncLit); ok {
			return lit, lit.Body
		}
	}
	return nil, nil
}

// synchronizes reports whether n could make a goroutine wait for another one.
func (f *function) synchronizes(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch called(n) {
			case "Wait", "Done", "Lock", "Unlock", "RLock", "RUnlock", "Signal", "Broadcast", "Load", "Store", "Add", "CompareAndSwap":
				found = true
			}
		case *ast.FuncLit:
			return false
		case ast.Expr:
			if t := f.pass.TypesInfo.TypeOf(n); t != nil {
				_, channel := t.Underlying().(*types.Chan)
				found = found || channel
			}
		}
		return !found
	})
	return found
}

// deferredBefore returns the deferred call before pos that puts v, or nil.
func (f *function) deferredBefore(graph *cfg.CFG, pos token.Pos, v *types.Var) ast.Node {
	for _, b := range graph.Blocks {
		for _, n := range b.Nodes {
			if d, ok := n.(*ast.DeferStmt); ok && b.Live && d.Pos() < pos && f.defers(d, v) {
				return d
			}
		}
	}
	return nil
}

// defers reports whether d puts v.
func (f *function) defers(d *ast.DeferStmt, v *types.Var) bool {
	if lit, ok := d.Call.Fun.(*ast.FuncLit); ok {
		return f.Puts(lit.Body, v)
	}
	return slices.Contains(f.PutMemory(d.Call), v)
}

// pursuit follows the paths on which a goroutine may still run.
type pursuit struct {
	*function
	v        *types.Var
	puts     bool     // the goroutine puts v
	deferred ast.Node // puts v when the function returns
	when     string
	seen     map[*cfg.Block]bool
}

func (p *pursuit) nodes(b *cfg.Block, nodes []ast.Node) {
	for _, n := range nodes {
		if p.synchronizes(n) || p.ends(n) {
			return
		}
		put := false
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				put = slices.Contains(p.PutMemory(call), p.v)
			}
		case *ast.DeferStmt:
			put = p.defers(n, p.v)
		}
		switch {
		case put:
			p.report(n, p.v, fmt.Sprintf("%s is put into the pool %s", p.v.Name(), p.when))
		case p.puts && p.mentions(n, p.v):
			p.report(n, p.v, fmt.Sprintf("%s is used while a goroutine may already have put it into the pool", p.v.Name()))
		}
	}
	if len(b.Succs) == 0 && p.deferred != nil {
		p.report(p.deferred, p.v, fmt.Sprintf("%s is put into the pool %s", p.v.Name(), p.when))
	}
	for _, next := range b.Succs {
		loop := next.Kind == cfg.KindRangeLoop || next.Kind == cfg.KindForLoop || next.Kind == cfg.KindForPost
		if loop && within(p.v, next.Stmt) {
			continue // the next iteration has a variable of its own
		}
		if !p.seen[next] {
			p.seen[next] = true
			p.nodes(next, next.Nodes)
		}
	}
}

// ends reports whether a node gives v another value.
func (p *pursuit) ends(n ast.Node) bool {
	if p.Root(p.v) != p.v && p.mayRenew(n, p.v) {
		return true
	}
	if id, ok := n.(*ast.Ident); ok { // assigned by range
		return rewrite.Variable(p.pass.TypesInfo, id) == p.Root(p.v)
	}
	if spec, ok := n.(*ast.ValueSpec); ok {
		for _, name := range spec.Names {
			if p.pass.TypesInfo.Defs[name] == p.Root(p.v) {
				return true
			}
		}
	}
	return rewrite.Writes(p.pass.TypesInfo, n, p.Root(p.v))
}

func (f *function) mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && f.Place(e) == v {
			found = true
		}
		return !found
	})
	return found
}
