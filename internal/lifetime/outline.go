package lifetime

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An Outline is what a function of a package without arenas and pools does with its
// parameters. It is read from the syntax, which costs next to nothing.
type Outline struct {
	Name   string
	Calls  bool  // it calls a parameter
	Spawns bool  // it calls one in goroutines
	Many   bool  // several goroutines at once do
	Waits  bool  // it waits for them
	Keeps  []int // the parameters that the receiver or a variable of the package keeps
}

// outlines are the exported functions of the package that do more with their parameters
// than to read them.
func (p *program) outlines() (all []Outline) {
	for _, file := range p.pass.Files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil || !d.Name.IsExported() {
				continue
			}
			fn, ok := p.pass.TypesInfo.Defs[d.Name].(*types.Func)
			if !ok {
				continue
			}
			o := outliner{info: p.pass.TypesInfo, pkg: p.pass.Pkg, params: map[types.Object]int{}}
			for i := range fn.Signature().Params().Len() {
				o.params[fn.Signature().Params().At(i)] = i
			}
			if recv := fn.Signature().Recv(); recv != nil {
				o.recv = recv
			}
			o.Name = withoutArguments(fn.Origin().FullName())
			o.look(d.Body, false, false)
			if o.Calls || o.Spawns || len(o.Keeps) > 0 {
				all = append(all, o.Outline)
			}
		}
	}
	return all
}

type outliner struct {
	Outline
	info   *types.Info
	pkg    *types.Package
	params map[types.Object]int
	recv   types.Object
}

// look looks at a part of the function, which may be in a loop, and in a goroutine.
func (o *outliner) look(n ast.Node, loop, goroutine bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		if m == n {
			return true
		}
		switch m := m.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !loop && !goroutine {
				o.look(m, true, goroutine)
				return false
			}
		case *ast.GoStmt:
			if !goroutine {
				o.look(m, loop, true)
				return false
			}
		case *ast.UnaryExpr:
			o.Waits = o.Waits || m.Op == token.ARROW && !goroutine
		case *ast.CallExpr:
			return o.call(m, loop, goroutine)
		case *ast.AssignStmt:
			for i, left := range m.Lhs {
				o.assigned(left, m.Rhs[min(i, len(m.Rhs)-1)])
			}
		case *ast.SendStmt:
			o.assigned(m.Chan, m.Value)
		}
		return true
	})
}

// call looks at a call, and reports whether its parts are still to be looked at.
func (o *outliner) call(c *ast.CallExpr, loop, goroutine bool) bool {
	switch fn := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if _, ok := o.param(fn); ok {
			o.called(loop, goroutine)
		}
	case *ast.SelectorExpr:
		if fn.Sel.Name == "Wait" {
			o.Waits = true
		}
		if fn.Sel.Name != "Go" || len(c.Args) != 1 || goroutine {
			break
		}
		if id, ok := ast.Unparen(c.Args[0]).(*ast.Ident); ok {
			if _, ok := o.param(id); ok {
				o.called(loop, true)
			}
		}
		o.look(c.Args[0], loop, true)
		return false
	}
	return true
}

func (o *outliner) called(loop, goroutine bool) {
	if goroutine {
		o.Spawns, o.Many = true, o.Many || loop
	} else {
		o.Calls = true
	}
}

// param is the index of the parameter that an expression names, if it may refer to memory.
func (o *outliner) param(e ast.Expr) (int, bool) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return 0, false
	}
	i, ok := o.params[o.info.Uses[id]]
	return i, ok && classOf(o.info.TypeOf(id)) != Scalar
}

// assigned looks at what a place gets.
func (o *outliner) assigned(place, value ast.Expr) {
	if !o.outlives(place) {
		return
	}
	values := []ast.Expr{value}
	if c, ok := ast.Unparen(value).(*ast.CallExpr); ok {
		if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "append" && !c.Ellipsis.IsValid() &&
			len(c.Args) > 0 {
			values = c.Args[1:]
		}
	}
	if index, ok := ast.Unparen(place).(*ast.IndexExpr); ok {
		values = append(values, index.Index)
	}
	for _, v := range values {
		if i, ok := o.param(v); ok {
			o.Keeps = append(o.Keeps, i)
		}
	}
}

// outlives reports whether a place belongs to the receiver or to the package.
func (o *outliner) outlives(place ast.Expr) bool {
	for inner := false; ; inner = true {
		switch e := ast.Unparen(place).(type) {
		case *ast.SelectorExpr:
			place = e.X
		case *ast.IndexExpr:
			place = e.X
		case *ast.StarExpr:
			place = e.X
		case *ast.Ident:
			obj := o.info.Uses[e]
			v, ok := obj.(*types.Var)
			return ok && (inner && obj == o.recv || v.Parent() == o.pkg.Scope())
		default:
			return false
		}
	}
}

// outlined is the effect of a function with an outline.
func outlined(o Outline) effect {
	return func(e *engine, s *state, in *Instr, args []value, dst Operand) []*state {
		method := len(args) > 0 && o.Name[0] == '('
		keep := func(s *state, i int) {
			holder, kept := to(ref{e.library(), ""}), i
			if method {
				holder, kept = args[0], i+1
			}
			if kept < len(args) && len(args[kept].refs) > 0 {
				e.uses(s, args[kept], e.x(kept), passed)
				e.store(s, holder.at(".held"+elements), value{refs: args[kept].refs, bits: args[kept].bits & lost},
					Reference)
			}
		}
		if o.Spawns && e.hasFunction(s, args) {
			for _, a := range args {
				if !e.isFunction(s, a) {
					continue
				}
				e.goes(s, in, a, "", nil, value{})
				if o.Many { // what two do at once, all do
					e.goes(s, in, a, "", nil, value{})
				}
			}
			if o.Waits {
				e.waits(s, value{})
			}
			e.set(s, dst, e.resultOf(s, in))
			return []*state{s}
		}
		if o.Calls && e.hasFunction(s, args) {
			states := e.callBack(s, args, value{bits: other})
			for _, s := range states {
				e.set(s, dst, e.resultOf(s, in))
			}
			return states
		}
		states := e.strange(s, in, in.Name, args, dst)
		for _, s := range states {
			for _, i := range o.Keeps {
				keep(s, i)
			}
		}
		return states
	}
}
