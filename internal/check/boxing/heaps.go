package boxing

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/repeated"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// heapType is a slice type with the methods of container/heap's Interface.
type heapType struct {
	s       *search
	name    *types.TypeName
	elem    types.Type
	methods map[string]*ast.FuncDecl
	pop     removal
	file    *rewrite.File
}

// reportHeaps reports the slice types whose Pop puts the item into an interface for callers
// that take it out again at once.
func (s *search) reportHeaps() {
	for c, decl := range rewrite.Nodes[*ast.FuncDecl](s.pass) {
		h := s.heapType(decl)
		if h == nil {
			continue
		}
		pops := h.calls("Pop")
		if len(pops) == 0 {
			continue
		}
		h.file = rewrite.Of(s.pass).File(c)
		d := analysis.Diagnostic{
			Pos: repeated.Position(h.pop.result), End: h.pop.result.End(), Category: rewrite.Sometimes,
			Message: "Pop puts each item into an interface, and callers take it out: " +
				"a method for the type boxes nothing",
		}
		for _, p := range pops {
			d.Related = append(d.Related, analysis.RelatedInformation{
				Pos: p.Node().Pos(), End: p.Node().End(), Message: "taken out here",
			})
		}
		if h.file != nil && h.orderly() {
			d.SuggestedFixes = h.fix(c, pops)
		}
		s.pass.Report(d)
	}
}

// heapType returns the type whose method Pop a declaration is, or nil.
func (s *search) heapType(decl *ast.FuncDecl) *heapType {
	fn, _ := s.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if decl.Name.Name != "Pop" || fn == nil || decl.Body == nil || fn.Signature().Recv() == nil {
		return nil
	}
	pointer, ok := fn.Signature().Recv().Type().(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := pointer.Elem().(*types.Named)
	if !ok || named.TypeParams() != nil {
		return nil
	}
	slice, ok := named.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	h := &heapType{s: s, name: named.Obj(), elem: slice.Elem(), methods: map[string]*ast.FuncDecl{}}
	for name := range heapMethods {
		obj, _, _ := types.LookupFieldOrMethod(pointer, false, s.pass.Pkg, name)
		method, ok := obj.(*types.Func)
		if !ok || s.declared[method] == nil {
			return nil
		}
		h.methods[name] = s.declared[method]
	}
	h.pop, ok = readPop(s.pass.TypesInfo, decl)
	if !ok || !s.boxes(h.pop.result) || !types.Identical(s.pass.TypesInfo.TypeOf(h.pop.result), h.elem) {
		return nil
	}
	return h
}

// heapMethods are the methods of heap.Interface.
var heapMethods = map[string]bool{"Len": true, "Less": true, "Swap": true, "Push": true, "Pop": true}

// calls returns the expressions heap.Pop(h).(E), or the statements heap.Push(h, x), in the
// file of the type's Pop.
func (h *heapType) calls(name string) (all []inspector.Cursor) {
	info := h.s.pass.TypesInfo
	for c, call := range rewrite.Nodes[*ast.CallExpr](h.s.pass) {
		if rewrite.Callee(info, call) != "container/heap."+name || len(call.Args) == 0 ||
			rewrite.Syntax(c).FileStart != h.syntax().FileStart || h.receiver(call.Args[0]) == nil {
			continue
		}
		switch parent := c.Parent().Node().(type) {
		case *ast.TypeAssertExpr:
			// The form with two results reports whether it succeeds.
			if _, two := info.TypeOf(parent).(*types.Tuple); name == "Pop" && parent.Type != nil && !two &&
				types.Identical(info.TypeOf(parent.Type), h.elem) {
				all = append(all, c.Parent())
			}
		case *ast.ExprStmt:
			if name == "Push" && len(call.Args) == 2 && types.Identical(info.TypeOf(call.Args[1]), h.elem) {
				all = append(all, c)
			}
		}
	}
	return all
}

// syntax returns the file of the method Pop.
func (h *heapType) syntax() *ast.File {
	for _, file := range h.s.pass.Files {
		if file.FileStart <= h.methods["Pop"].Pos() && h.methods["Pop"].Pos() < file.FileEnd {
			return file
		}
	}
	return nil
}

// receiver returns the expression whose method can be called instead of handing arg to
// package heap: q for q and for &q. It returns nil if arg is of another type.
func (h *heapType) receiver(arg ast.Expr) ast.Expr {
	info := h.s.pass.TypesInfo
	pointer, ok := info.TypeOf(arg).(*types.Pointer)
	if !ok || !types.Identical(pointer.Elem(), h.name.Type()) {
		return nil
	}
	arg = ast.Unparen(arg)
	if address, ok := arg.(*ast.UnaryExpr); ok {
		arg = ast.Unparen(address.X)
	}
	switch arg.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		if rewrite.Pure(info, arg) {
			return arg
		}
	}
	return nil
}

// orderly reports whether it makes no difference that an item leaves the slice before the
// others move up, instead of after that: Len is the slice's length, and Less and Swap look at
// the items of their indices alone and cannot panic.
func (h *heapType) orderly() bool {
	length := h.methods["Len"]
	if len(length.Body.List) != 1 {
		return false
	}
	ret, ok := length.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
	if !ok || !rewrite.IsBuiltin(h.s.pass.TypesInfo, call, "len") || !h.is(length, call.Args[0]) {
		return false
	}
	return h.looksAtItems(h.methods["Less"]) && h.looksAtItems(h.methods["Swap"])
}

// is reports whether an expression is the slice of a method's receiver.
func (h *heapType) is(method *ast.FuncDecl, e ast.Expr) bool {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	names := method.Recv.List[0].Names
	return len(names) == 1 && rewrite.Variable(h.s.pass.TypesInfo, e) == h.s.pass.TypesInfo.Defs[names[0]]
}

// looksAtItems reports whether a method with two indices does nothing but read and assign the
// items at them.
func (h *heapType) looksAtItems(method *ast.FuncDecl) bool {
	info := h.s.pass.TypesInfo
	if len(method.Body.List) != 1 {
		return false
	}
	ok := true
	ast.Inspect(method.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			index := rewrite.Variable(info, n.Index)
			ok = ok && h.is(method, n.X) && index != nil && index.Kind() == types.ParamVar
			return false
		case *ast.Ident:
			_, variable := info.Uses[n].(*types.Var)
			ok = ok && (!variable || info.Uses[n].(*types.Var).IsField())
		case *ast.BinaryExpr:
			ok = ok && plain(info, n)
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			ok = ok && sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect()
		case *ast.AssignStmt, *ast.ReturnStmt, *ast.BlockStmt, *ast.ParenExpr, *ast.BasicLit, nil:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// plain reports whether an operator works on numbers and texts, and does not divide or shift.
func plain(info *types.Info, e *ast.BinaryExpr) bool {
	for _, operand := range []ast.Expr{e.X, e.Y} {
		if _, basic := info.TypeOf(operand).Underlying().(*types.Basic); !basic {
			return false
		}
	}
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return false
	}
	return true
}

// fix adds a method that pops an item of the type, and one that pushes it, behind Pop, and
// calls them instead of package heap.
func (h *heapType) fix(c inspector.Cursor, pops []inspector.Cursor) []analysis.SuggestedFix {
	decl := h.methods["Pop"]
	elem, ok := h.file.TypeText(h.elem, decl.Pos())
	popName, free := h.method("popItem")
	heap, edits, imported := h.file.Import("container/heap", decl.Pos())
	if !ok || !free || !imported || c.ParentEdgeKind() != edge.File_Decls {
		return nil
	}
	q := decl.Recv.List[0].Names[0].Name
	for _, taken := range []string{"n", "item"} {
		if q == taken || elem == taken {
			return nil
		}
	}
	clear := ""
	if h.pop.zero != nil {
		clear = "\t(*" + q + ")[n] = " + h.file.Text(h.pop.zero) + "\n"
	}
	recv := "func (" + q + " *" + h.name.Name() + ") "
	text := "\n\n// " + popName + " is heap.Pop without an interface around the item.\n" +
		recv + popName + "() " + elem + " {\n" +
		"\tn := " + q + ".Len() - 1\n\t" + q + ".Swap(0, n)\n\titem := (*" + q + ")[n]\n" + clear +
		"\t*" + q + " = (*" + q + ")[:n]\n\t" + heap + "Fix(" + q + ", 0)\n\treturn item\n}"
	for _, p := range pops {
		call := p.Node().(*ast.TypeAssertExpr).X.(*ast.CallExpr)
		edits = append(edits, rewrite.Replace(p.Node(), h.file.Text(h.receiver(call.Args[0]))+"."+popName+"()"))
	}
	if pushes := h.calls("Push"); len(pushes) > 0 && h.appends() {
		name, free := h.method("pushItem")
		if !free {
			return nil
		}
		text += "\n\n// " + name + " is heap.Push without an interface around the item.\n" +
			recv + name + "(item " + elem + ") {\n\t*" + q + " = append(*" + q + ", item)\n\t" +
			heap + "Fix(" + q + ", len(*" + q + ")-1)\n}"
		for _, p := range pushes {
			call := p.Node().(*ast.CallExpr)
			on := h.file.Text(h.receiver(call.Args[0]))
			// The item's own text stays, for there may be other edits in it.
			edits = append(edits,
				analysis.TextEdit{Pos: call.Pos(), End: call.Args[1].Pos(), NewText: []byte(on + "." + name + "(")})
		}
	}
	return h.file.Fix("Add methods for the type", append(edits, rewrite.Insert(decl.End(), text))...)
}

// method returns a name, and whether neither the type nor another file of the package has a
// method of it.
func (h *heapType) method(name string) (string, bool) {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(h.name.Type()), true, h.s.pass.Pkg, name)
	return name, obj == nil && !h.file.Excluded(name)
}

// appends reports whether Push appends its argument and does nothing else.
func (h *heapType) appends() bool {
	info, decl := h.s.pass.TypesInfo, h.methods["Push"]
	if len(decl.Body.List) != 1 || len(decl.Type.Params.List) != 1 || len(decl.Type.Params.List[0].Names) != 1 {
		return false
	}
	assign, ok := decl.Body.List[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || !h.is(decl, assign.Lhs[0]) {
		return false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok || !rewrite.IsBuiltin(info, call, "append") || len(call.Args) != 2 || call.Ellipsis.IsValid() ||
		!h.is(decl, call.Args[0]) {
		return false
	}
	assert, ok := ast.Unparen(call.Args[1]).(*ast.TypeAssertExpr)
	return ok && assert.Type != nil && types.Identical(info.TypeOf(assert.Type), h.elem) &&
		rewrite.Variable(info, assert.X) == info.Defs[decl.Type.Params.List[0].Names[0]]
}
