package release

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// methodAt returns the variable that one of the methods of package sync is called of in
// a line of a profile, and its name in source.
func (p *Program) methodAt(symbol, file string, line int, methods ...string) (types.Object, string) {
	if p == nil {
		return nil, ""
	}
	f := p.at(symbol, file, line)
	if f == nil {
		return nil, ""
	}
	var object types.Object
	name := ""
	calls(f.body, func(c *ast.CallExpr) {
		if p.fset.Position(c.Pos()).Line <= line && line <= p.fset.Position(c.End()).Line {
			if l, _ := lockCall(f.pkg.Info, c, methods...); l != nil {
				object, name = l.object, l.Name
			}
		}
	})
	return object, name
}

// MissedDone returns the paths on which the WaitGroup that a line of a profile waits
// for is not done: a function that calls Done returns without it, or leaves after Add
// without starting what would call Done. It also returns the group's name.
func (p *Program) MissedDone(symbol, file string, line int) (name string, all []Path) {
	group, name := p.methodAt(symbol, file, line, "Wait")
	if group == nil {
		return "", nil
	}
	for _, f := range p.functions {
		var adds []ast.Node
		done, later, waits := ast.Node(nil), false, false
		f.each(func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				switch method := p.groupMethod(f, n, group); method {
				case "Add":
					adds = append(adds, n)
				case "Done":
					done = n
				case "Wait":
					waits = true
				}
			case *ast.DeferStmt:
				later = later || p.mentionsDone(f, n, group)
			}
		})
		// What starts here and is given the group, or captures it, is the one that is done.
		for _, add := range adds {
			all = append(all, f.missed(walk{from: add,
				ends: func(n ast.Node) bool { return p.handsGroup(f, n, group) }}, name+".Add")...)
		}
		if done != nil && !later && !waits && len(adds) == 0 && len(f.body.List) > 0 {
			all = append(all, f.missedFromStart(func(n ast.Node) bool { return p.mentionsDone(f, n, group) },
				name+".Done")...)
		}
	}
	return name, all
}

// groupMethod returns the method of the group that a call is of.
func (p *Program) groupMethod(f *function, c *ast.CallExpr, group types.Object) string {
	l, method := lockCall(f.pkg.Info, c, "Add", "Done", "Wait")
	if l == nil || l.object != group && !p.passedAs(f, l.object, group) {
		return ""
	}
	return method
}

func (p *Program) mentionsDone(f *function, n ast.Node, group types.Object) bool {
	return p.mentions(f, n, 0, func(f *function, n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		return ok && p.groupMethod(f, c, group) == "Done"
	})
}

// handsGroup reports whether a node uses the group in another way than to add to it.
func (p *Program) handsGroup(f *function, n ast.Node, group types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if p.groupMethod(f, n, group) == "Add" {
				return false
			}
			if callee := p.callee(f, n); callee != nil && callee.body != nil && !found {
				found = p.mentionsDone(callee, callee.body, group)
			}
		case *ast.Ident:
			found = found || cmpObject(f.pkg.Info.Uses[n], nil) == group
		}
		return !found
	})
	return found
}

// passedAs reports whether a parameter of a function takes the group in some call.
func (p *Program) passedAs(f *function, param, group types.Object) bool {
	if f.object == nil || param == nil {
		return false
	}
	nth, found := -1, false
	sig := f.object.Signature()
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == param {
			nth = i
		}
	}
	if nth < 0 {
		return false
	}
	for _, caller := range p.functions {
		caller.each(func(n ast.Node) {
			if c, ok := n.(*ast.CallExpr); ok && !found && nth < len(c.Args) &&
				typeutil.StaticCallee(caller.pkg.Info, c) == f.object {
				found = objectOf(caller.pkg.Info, c.Args[nth]) == group
			}
		})
	}
	return found
}

// missedFromStart is missed for a function as a whole.
func (f *function) missedFromStart(ends func(ast.Node) bool, text string) []Path {
	var all []Path
	graph := f.flowGraph()
	first := graph.Blocks[0]
	seen := map[int32]bool{}
	var follow func(i int32)
	follow = func(i int32) {
		b := graph.Blocks[i]
		seen[i] = true
		for _, n := range f.nodes(b) {
			if ends(n) {
				return
			}
			if ret, ok := n.(*ast.ReturnStmt); ok {
				all = append(all, Path{Acquired: f.place(f.node, text), Exit: f.place(ret, "")})
				return
			}
		}
		for _, next := range b.Succs {
			if !seen[next.Index] {
				follow(next.Index)
			}
		}
	}
	follow(first.Index)
	return all
}
