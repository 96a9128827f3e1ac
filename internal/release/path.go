package release

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// Path is a path on which something is not released.
type Path struct {
	Acquired Place
	// Exit is where the path leaves the function, or comes back to Acquired if Again
	// is set.
	Exit  Place
	Again bool
}

// walk says what ends a path.
type walk struct {
	from ast.Node
	// ends reports whether a node releases what from has acquired, or hands it on.
	ends func(ast.Node) bool
	// none reports whether nothing is held where a condition has a value. It may be nil.
	none func(cond ast.Expr, value bool) bool
	// spoils reports whether none does not hold behind a node. It may be nil.
	spoils func(ast.Node) bool
}

// spot is a place in the control flow.
type spot struct {
	block   *cfg.Block
	spoiled bool
}

// missed returns the first exits that are reached from a node without a release, in
// the order of the source, not more than one per line.
func (f *function) missed(w walk, text string) []Path {
	var all []Path
	add := func(at ast.Node, again bool) {
		m := Path{Acquired: f.place(w.from, text), Exit: f.place(at, ""), Again: again}
		for i := range all {
			if all[i].Exit == m.Exit {
				return
			}
		}
		all = append(all, m)
	}
	f.reach(w, func(n ast.Node) bool {
		if contains(n, w.from) {
			add(w.from, true)
			return false
		}
		if ret, ok := n.(*ast.ReturnStmt); ok {
			add(ret, false)
			return false
		}
		return true
	})
	return all
}

// reach calls visit for each node that control can reach from a node without a
// release. Behind nodes for which it is false, nothing is looked at.
func (f *function) reach(w walk, visit func(ast.Node) bool) {
	graph := f.flowGraph()
	var start *cfg.Block
	index := 0
	for _, b := range graph.Blocks {
		for i, n := range f.nodes(b) {
			if b.Live && contains(n, w.from) && start == nil {
				start, index = b, i+1
			}
		}
	}
	if start == nil {
		return
	}
	seen := map[spot]bool{}
	var follow func(at spot, from int)
	follow = func(at spot, from int) {
		for _, n := range f.nodes(at.block)[from:] {
			if w.ends(n) || !visit(n) {
				return
			}
			at.spoiled = at.spoiled || w.spoils != nil && w.spoils(n)
		}
		for i, next := range at.block.Succs {
			if i == 1 && f.rangesOverTime(at.block) {
				continue
			}
			if len(at.block.Succs) == 2 && len(at.block.Nodes) > 0 && w.none != nil && !at.spoiled {
				cond, ok := at.block.Nodes[len(at.block.Nodes)-1].(ast.Expr)
				if ok && w.none(cond, i == 0) {
					continue
				}
			}
			if to := (spot{next, at.spoiled}); !seen[to] {
				seen[to] = true
				follow(to, 0)
			}
		}
	}
	follow(spot{block: start}, index)
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// nodes returns the nodes of a block. The graph has what a select statement sends and
// receives before its cases; here each is part of its own case.
func (f *function) nodes(b *cfg.Block) []ast.Node {
	if f.selected == nil {
		f.selected = map[ast.Node]bool{}
		f.each(func(n ast.Node) {
			if c, ok := n.(*ast.CommClause); ok && c.Comm != nil {
				f.selected[c.Comm] = true
			}
		})
	}
	if len(f.selected) == 0 {
		return b.Nodes
	}
	all := slices.DeleteFunc(slices.Clone(b.Nodes), func(n ast.Node) bool { return f.selected[n] })
	if c, ok := b.Stmt.(*ast.CommClause); ok && b.Kind == cfg.KindSelectCaseBody && c.Comm != nil {
		all = slices.Insert(all, 0, ast.Node(c.Comm))
	}
	return all
}

// rangesOverTime reports whether a block is the head of a loop over the channel of a
// ticker, which nobody closes: control does not go on behind it.
func (f *function) rangesOverTime(b *cfg.Block) bool {
	loop, ok := b.Stmt.(*ast.RangeStmt)
	if !ok || b.Kind != cfg.KindRangeLoop {
		return false
	}
	t := f.pkg.Info.TypeOf(loop.X)
	if t == nil {
		return false
	}
	c, ok := t.Underlying().(*types.Chan)
	return ok && nameOf(c.Elem()) == "time.Time"
}
