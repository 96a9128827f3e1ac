package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

func (w *walker) call(n *ast.CallExpr) {
	fun := ast.Unparen(n.Fun)
	if tv, ok := w.info.Types[fun]; ok && tv.IsType() || isSliceType(fun) {
		w.conversion(n, fun)
		return
	}
	if id, ok := fun.(*ast.Ident); ok {
		if w.builtin(n, id) {
			return
		}
	}
	callee := w.callee(fun)
	a := Allocation{
		Kind: Call, Text: w.text(n), Callee: callee, Value: w.valueOf(n.Args...), Chains: w.chains(n),
		SoleWrite: w.soleWrite(n),
	}
	if results := resultsOf(w.typeOf(n)); a.Chains && len(results) > 0 {
		a.Type = types.TypeString(results[0], nil)
	}
	w.add(n.Lparen, a)
	w.parts(n, callee)
	w.accessed(n, callee)
	w.keep(n)
	if sig, ok := underlying(w.typeOf(fun)).(*types.Signature); ok {
		w.boxArguments(n, sig)
		w.callCopies(n, sig)
	}
}

// chains reports whether a call assigns its first result to the place that it begins with: its
// own first argument, or what its method, or the first of a chain of methods, is called on.
// The place is from outside of the loop around it, or lives longer than the function.
func (w *walker) chains(n *ast.CallExpr) bool {
	a, ok := w.parent().(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Rhs) != 1 {
		return false
	}
	place := a.Lhs[0]
	to := w.object(place)
	same := func(e ast.Expr) bool { return w.object(e) == to && w.text(e) == w.text(place) }
	if to == nil || !same(receiverOf(n)) && (len(n.Args) == 0 || !same(n.Args[0])) {
		return false
	}
	loop := w.loop()
	return loop != nil && (to.Pos() < loop.Pos() || to.Pos() > loop.End()) || w.outlives(place)
}

// resultsOf returns the types of a call's results.
func resultsOf(t types.Type) []types.Type {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return []types.Type{t}
	}
	var all []types.Type
	for v := range tuple.Variables() {
		all = append(all, v.Type())
	}
	return all
}

// receiverOf returns what the first of a chain of methods is called on: l in l.With().Str(k, v).
// It returns the function of any other call.
func receiverOf(n *ast.CallExpr) ast.Expr {
	for {
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok {
			return n.Fun
		}
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			return sel.X
		}
		n = inner
	}
}

func isSliceType(e ast.Expr) bool {
	_, ok := e.(*ast.ArrayType)
	return ok
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (w *walker) builtin(n *ast.CallExpr, id *ast.Ident) bool {
	if use := w.info.Uses[id]; use != nil {
		if _, ok := use.(*types.Builtin); !ok {
			return false
		}
	}
	switch id.Name {
	case "append":
		w.appends(n)
	case "make":
		w.makes(n)
	case "new":
		w.add(n.Lparen, Allocation{Kind: New, Text: w.text(n), Type: w.argumentType(n)})
	case "panic", "print", "println", "len", "cap", "copy", "delete", "clear", "close", "min", "max", "recover":
	default:
		return false
	}
	return true
}

func (w *walker) argumentType(n *ast.CallExpr) string {
	if len(n.Args) == 0 {
		return ""
	}
	return w.name(w.typeOf(n.Args[0]))
}

func (w *walker) makes(n *ast.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	a := Allocation{Text: w.text(n), Type: w.argumentType(n), Sized: len(n.Args) > 1, Unread: w.unread(n)}
	switch t := n.Args[0].(type) {
	case *ast.ArrayType:
		a.Kind = MakeSlice
	case *ast.MapType:
		a.Kind = MakeMap
	case *ast.ChanType:
		a.Kind = MakeChan
	default:
		switch underlying(w.typeOf(t)).(type) {
		case *types.Slice:
			a.Kind = MakeSlice
		case *types.Map:
			a.Kind = MakeMap
		case *types.Chan:
			a.Kind = MakeChan
		default:
			return
		}
	}
	w.add(n.Lparen, a)
}

// callee returns the function that is called as a profile names it; "" for
// function values and methods of interfaces, which are known only at run time.
func (w *walker) callee(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.IndexExpr:
		return w.callee(f.X)
	case *ast.IndexListExpr:
		return w.callee(f.X)
	case *ast.Ident:
		if fn, ok := w.info.Uses[f].(*types.Func); ok {
			return symbol(fn)
		}
	case *ast.SelectorExpr:
		if fn, ok := w.info.Uses[f.Sel].(*types.Func); ok {
			if sel := w.info.Selections[f]; sel != nil && types.IsInterface(sel.Recv()) {
				return ""
			}
			return symbol(fn)
		}
		// A package whose export data is missing.
		if id, ok := f.X.(*ast.Ident); ok {
			if p, ok := w.info.Uses[id].(*types.PkgName); ok {
				return p.Imported().Path() + "." + f.Sel.Name
			}
		}
	}
	return ""
}

// symbol returns the name that the linker gives a function, apart from type
// arguments: "bytes.(*Buffer).Write".
func symbol(fn *types.Func) string {
	if fn.Pkg() == nil {
		return fn.Name()
	}
	pkg := fn.Pkg().Path()
	if fn.Pkg().Name() == "main" {
		pkg = "main"
	}
	sig, _ := fn.Type().(*types.Signature)
	if sig == nil || sig.Recv() == nil {
		return pkg + "." + fn.Name()
	}
	recv, star := sig.Recv().Type(), ""
	if p, ok := recv.(*types.Pointer); ok {
		recv, star = p.Elem(), "*"
	}
	name := types.TypeString(recv, func(*types.Package) string { return "" })
	name, _, _ = strings.Cut(name, "[")
	if star != "" {
		name = "(*" + name + ")"
	}
	return pkg + "." + name + "." + fn.Name()
}

// conversion notes conversions between strings and byte or rune slices that
// copy. The compiler spares the copy where it is only looked at.
func (w *walker) conversion(n *ast.CallExpr, to ast.Expr) {
	if len(n.Args) != 1 {
		return
	}
	arg := n.Args[0]
	target, from := w.typeOf(to), w.typeOf(arg)
	if target != nil && types.IsInterface(target) {
		w.box(arg, target)
		return
	}
	if tv := w.info.Types[n]; tv.Value != nil || w.onlyRead(n) {
		return
	}
	switch {
	case isText(target) && isBytes(from):
		w.add(n.Lparen, Allocation{Kind: BytesToString, Text: w.text(n), Type: w.name(from)})
	case (isBytes(target) || target == nil && isSliceType(to)) && (isText(from) || from == nil):
		w.add(n.Lparen, Allocation{Kind: StringToBytes, Text: w.text(n), Type: w.name(target)})
	}
}

// onlyRead reports whether the compiler converts without a copy (cmd/compile:
// slicebytetostringtmp, and OSTR2BYTESTMP since Go 1.22): a map lookup, a
// comparison, a concatenation, a range or a switch over it.
func (w *walker) onlyRead(n *ast.CallExpr) bool {
	switch p := w.parent().(type) {
	case *ast.IndexExpr:
		if _, ok := underlying(w.typeOf(p.X)).(*types.Map); !ok || ast.Unparen(p.Index) != ast.Expr(n) {
			return false
		}
		return !w.assigned(p)
	case *ast.BinaryExpr:
		switch p.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.ADD:
			return true
		}
	case *ast.RangeStmt:
		return p.X == ast.Expr(n)
	case *ast.SwitchStmt:
		return p.Tag == ast.Expr(n)
	case *ast.CallExpr: // append(b, []byte(s)...)
		id, ok := p.Fun.(*ast.Ident)
		return ok && id.Name == "append" && p.Ellipsis.IsValid() || ok && id.Name == "len"
	}
	return false
}

// assigned reports whether an index expression stands left of an assignment.
func (w *walker) assigned(x *ast.IndexExpr) bool {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch s := w.stack[i].(type) {
		case *ast.IncDecStmt:
			return ast.Unparen(s.X) == ast.Expr(x)
		case *ast.AssignStmt:
			return slices.ContainsFunc(s.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == ast.Expr(x) })
		}
	}
	return false
}

func isText(t types.Type) bool {
	b, ok := underlying(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isBytes reports whether t is a slice of bytes or runes.
func isBytes(t types.Type) bool {
	s, ok := underlying(t).(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
}
