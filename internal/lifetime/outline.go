package lifetime

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
	keeps := map[string][]int{} // the parameters that functions of the package keep
	for last := -1; last != len(keeps); {
		last, all = len(keeps), nil
		for _, file := range p.pass.Files {
			for _, decl := range file.Decls {
				d, ok := decl.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				fn, ok := p.pass.TypesInfo.Defs[d.Name].(*types.Func)
				if !ok {
					continue
				}
				o := p.outline(fn, d.Body, keeps)
				if len(o.Keeps) > 0 {
					keeps[o.Name] = o.Keeps
				}
				if d.Name.IsExported() && (o.Calls || o.Spawns || len(o.Keeps) > 0) {
					all = append(all, o)
				}
			}
		}
	}
	return all
}

// outline looks at one function.
func (p *program) outline(fn *types.Func, body *ast.BlockStmt, keeps map[string][]int) Outline {
	o := outliner{info: p.pass.TypesInfo, pkg: p.pass.Pkg, params: map[types.Object]int{}, keeps: keeps,
		locals: map[types.Object][]int{}}
	for i := range fn.Signature().Params().Len() {
		o.params[fn.Signature().Params().At(i)] = i
	}
	if recv := fn.Signature().Recv(); recv != nil {
		o.recv = recv
	}
	o.Name = withoutArguments(fn.Origin().FullName())
	o.look(body, false, false)
	slices.Sort(o.Keeps)
	o.Keeps = slices.Compact(o.Keeps)
	return o.Outline
}

type outliner struct {
	Outline
	info   *types.Info
	pkg    *types.Package
	params map[types.Object]int
	recv   types.Object
	keeps  map[string][]int
	locals map[types.Object][]int // the parameters to which a variable refers
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
	o.passed(c)
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

// carries are the parameters to which a value refers: it is one, or a literal with one.
func (o *outliner) carries(e ast.Expr) (all []int) {
	if i, ok := o.param(e); ok {
		return []int{i}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return o.locals[o.info.Uses[e]]
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return o.carries(e.X)
		}
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			all = append(all, o.carries(element)...)
		}
	case *ast.CallExpr:
		if o.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return o.carries(e.Args[0])
		}
	}
	return all
}

// passed looks at the arguments of a function that keeps some of them in its receiver, or
// in its first argument.
func (o *outliner) passed(c *ast.CallExpr) {
	var name *ast.Ident
	var recv ast.Expr
	switch fn := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		name = fn
	case *ast.SelectorExpr:
		name, recv = fn.Sel, fn.X
	default:
		return
	}
	callee, ok := o.info.Uses[name].(*types.Func)
	if !ok {
		return
	}
	full := withoutArguments(callee.Origin().FullName())
	if callee.Signature().Recv() != nil && !o.outlives(recv) && !o.isReceiver(recv) {
		return
	}
	for _, i := range o.keeps[full] {
		if i < len(c.Args) {
			o.Keeps = append(o.Keeps, o.carries(c.Args[i])...)
		}
	}
	contract := contractOf(full)
	if inFirst := full == "container/heap.Push" && len(c.Args) == 2 && o.outlives(operandOf(c.Args[0])); inFirst ||
		callee.Signature().Recv() != nil && (contract == keeps || contract == retargets) {
		for _, a := range c.Args {
			o.Keeps = append(o.Keeps, o.carries(a)...)
		}
	}
}

// operandOf is the variable of which an expression is the address.
func operandOf(e ast.Expr) ast.Expr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return u.X
	}
	return e
}

func (o *outliner) isReceiver(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && o.recv != nil && o.info.Uses[id] == o.recv
}

// assigned looks at the value that a place gets.
func (o *outliner) assigned(place, value ast.Expr) {
	if id, ok := ast.Unparen(place).(*ast.Ident); ok && id.Name != "_" {
		obj := o.info.ObjectOf(id)
		o.locals[obj] = append(o.locals[obj], o.carries(value)...)
	}
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
		o.Keeps = append(o.Keeps, o.carries(v)...)
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
				e.store(s, holder.at(".%held"+elements), value{refs: args[kept].refs, bits: args[kept].bits & lost},
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
