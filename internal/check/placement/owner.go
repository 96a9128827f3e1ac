package placement

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// An owner is a type whose methods make the objects, and whose values the root makes and
// releases again: the arena is a field of it, and no signature changes. All of it is in one
// file. So other builds of the package, which may have another type of the name, stay as
// they are.
type owner struct {
	typ     *types.TypeName
	spec    *ast.TypeSpec
	literal *ast.CompositeLit // the value that the constructor returns
	create  function          // the constructor
	release function          // the method that the root defers
	sites   []site
}

// own lets the owner of the objects hold the arena. It reports false, without an edit, if they
// have none. Everything else about an owner is as strict as it is simple: a value with an
// arena that has ended must not be used, so nothing but the root and methods may have one.
func (w *writer) own() (done bool, why string) {
	o, ok := w.owner()
	if !ok || !w.created(&o) || !w.released(&o) || !w.stays(&o) {
		return false, ""
	}
	receivers := map[*ast.FuncDecl]string{}
	for _, f := range w.holders(&o) {
		name, ok := w.receiver(f)
		if !ok {
			return false, ""
		}
		receivers[f.decl] = name
	}
	if i := slices.IndexFunc(arenaNames, o.lacks); i >= 0 {
		w.name = arenaNames[i]
	} else {
		return false, ""
	}
	_, qualifier, why := w.file(o.create.Cursor)
	if why != "" {
		return false, ""
	}
	place, ok := rewrite.NewHoister(w.pass).AboveDecl(o.create.Cursor)
	if !ok {
		return false, ""
	}
	pool, declared := place.DeclareZero("Arenas", qualifier+"Pool", o.create.decl)
	w.edits = append(w.edits, declared, o.field(w.name, qualifier), o.value(w.name, pool))
	w.edits = append(w.edits, w.end(o.release, receivers[o.release.decl]))
	for _, f := range w.holders(&o) {
		if recv := f.decl.Recv.List[0]; len(recv.Names) == 0 {
			w.edits = append(w.edits, rewrite.Insert(recv.Type.Pos(), receivers[f.decl]+" "))
		}
	}
	for _, s := range o.sites {
		s.arena = receivers[s.in.decl] + "." + w.name
		if why := w.place(s); why != "" {
			return true, why
		}
	}
	return true, ""
}

// owner finds the type whose methods make the objects, by the first site. Sites elsewhere are
// left as they are.
func (w *writer) owner() (o owner, ok bool) {
	of := func(s site) *types.TypeName {
		if recv := s.in.object.Signature().Recv(); recv != nil {
			return named(recv.Type())
		}
		return nil
	}
	if o.typ = of(w.sites[0]); o.typ == nil || o.typ.Exported() {
		return o, false
	}
	for _, s := range w.sites {
		if of(s) == o.typ {
			o.sites = append(o.sites, s)
		}
	}
	for c := range w.inspector.Preorder((*ast.TypeSpec)(nil)) {
		if spec := c.Node().(*ast.TypeSpec); w.info.Defs[spec.Name] == o.typ {
			_, structure := spec.Type.(*ast.StructType)
			o.spec, ok = spec, structure && spec.TypeParams == nil && !spec.Assign.IsValid()
		}
	}
	return o, ok
}

// named returns the declared type of a value or a pointer to one, nil if there is none.
func named(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// created finds the constructor: the function, called only once and by the root, that
// consists of the return of a new value.
func (w *writer) created(o *owner) bool {
	for c := range w.inspector.Preorder((*ast.FuncDecl)(nil)) {
		f := w.functionOf(c)
		if f.object == nil || f.decl.Recv != nil || f.decl.Body == nil || len(f.decl.Body.List) != 1 {
			continue
		}
		ret, ok := f.decl.Body.List[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 || ast.IsExported(f.decl.Name.Name) {
			continue
		}
		value := ast.Unparen(ret.Results[0])
		if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
			value = u.X
		}
		lit, ok := value.(*ast.CompositeLit)
		if !ok || named(w.info.TypeOf(lit)) != o.typ || lit.Type == nil {
			continue
		}
		if o.create.decl != nil || len(lit.Elts) > 0 && !keyed(lit) {
			return false
		}
		o.create, o.literal = f, lit
	}
	return o.create.decl != nil && w.onlyIn(o.create, w.root) != nil
}

func keyed(lit *ast.CompositeLit) bool {
	_, ok := lit.Elts[0].(*ast.KeyValueExpr)
	return ok
}

// onlyIn returns the call of a function if the package mentions the function once, and that
// is a call by another one itself, outside of a loop.
func (w *writer) onlyIn(f, caller function) *ast.CallExpr {
	mentions, _ := w.mentions()
	if len(mentions[f.object]) != 1 {
		return nil
	}
	c := mentions[f.object][0]
	for p := range c.Enclosing() {
		switch p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return nil
		case *ast.LabeledStmt: // a goto may come back to it
			return nil
		}
	}
	for p := range c.Enclosing((*ast.CallExpr)(nil)) {
		call := p.Node().(*ast.CallExpr)
		if w.calledName(call) == c.Node() && rewrite.Function(c).Node() == caller.decl {
			return call
		}
		return nil
	}
	return nil
}

// released finds the method that the root defers before anything else: it runs last, when
// nothing of the root needs the objects any more.
func (w *writer) released(o *owner) bool {
	var first *ast.DeferStmt
	for c := range w.root.Preorder((*ast.DeferStmt)(nil)) {
		first = c.Node().(*ast.DeferStmt)
		if c.Parent().Node() != w.root.decl.Body {
			return false
		}
		break
	}
	if first == nil || len(first.Call.Args) > 0 {
		return false
	}
	for c := range w.inspector.Preorder((*ast.FuncDecl)(nil)) {
		if f := w.functionOf(c); f.object != nil && f.object == w.callee(first.Call) {
			o.release = f
		}
	}
	f := o.release
	if f.decl == nil || f.decl.Recv == nil || f.decl.Body == nil || f.decl.Type.Results != nil ||
		named(f.object.Signature().Recv().Type()) != o.typ {
		return false
	}
	for range f.Preorder((*ast.ReturnStmt)(nil)) {
		return false // the arena ends at the end of the body
	}
	return w.onlyIn(f, w.root) == first.Call
}

// stays reports whether all of the owner is in one file, and whether its values stay with
// the root and with methods: each use of one, and of the local variable that holds one, is
// to select something of it.
func (w *writer) stays(o *owner) bool {
	for _, f := range append(w.holders(o), o.create) {
		if w.pass.Fset.File(f.decl.Pos()) != w.pass.Fset.File(o.spec.Pos()) {
			return false
		}
	}
	holders := map[*types.TypeName]bool{o.typ: true}
	if t := w.holder(o); t != nil {
		holders[t] = true
	}
	for c := range w.inspector.Preorder() {
		e, ok := c.Node().(ast.Expr)
		if !ok || !holders[named(w.info.TypeOf(e))] || w.isType(e) || w.isSelf(c) {
			continue
		}
		if !w.selects(c) && !w.makesHolder(o, c) {
			return false
		}
	}
	return true
}

// holder returns the type of the composite literal that the constructor's value is a field of.
func (w *writer) holder(o *owner) *types.TypeName {
	call := w.onlyIn(o.create, w.root)
	for c := range w.root.Preorder((*ast.CompositeLit)(nil)) {
		for _, e := range c.Node().(*ast.CompositeLit).Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if e == call {
				return named(w.info.TypeOf(c.Node().(ast.Expr)))
			}
		}
	}
	return nil
}

func (w *writer) isType(e ast.Expr) bool { return w.info.Types[e].IsType() || w.isTypeName(e) }

func (w *writer) isTypeName(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = w.info.ObjectOf(id).(*types.TypeName)
	return ok
}

// isSelf reports whether an expression is only the name in a declaration or a selector, whose
// whole is looked at itself.
func (w *writer) isSelf(c inspector.Cursor) bool {
	id, ok := c.Node().(*ast.Ident)
	if !ok {
		return false
	}
	switch c.ParentEdgeKind() {
	case edge.SelectorExpr_Sel, edge.KeyValueExpr_Key:
		return true
	}
	return w.info.Defs[id] != nil
}

// selects reports whether an expression is used for a field or the call of a method, by the
// function itself.
func (w *writer) selects(c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.SelectorExpr_X {
		return false
	}
	for range c.Enclosing((*ast.FuncLit)(nil)) {
		return false
	}
	sel := c.Parent()
	if s := w.info.Selections[sel.Node().(*ast.SelectorExpr)]; s == nil {
		return false
	} else if s.Kind() == types.FieldVal {
		return true
	}
	if sel.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	_, started := sel.Parent().Parent().Node().(*ast.GoStmt)
	return !started
}

// makesHolder reports whether an expression makes the value, in the constructor or in the
// declaration of the root's variable.
func (w *writer) makesHolder(o *owner, c inspector.Cursor) bool {
	fn := rewrite.Function(c)
	if fn.Node() == o.create.decl {
		return true // nothing but the return of the literal
	}
	if fn.Node() != w.root.decl {
		return false
	}
	for p := range c.Enclosing() {
		switch n := p.Node().(type) {
		case *ast.CompositeLit, *ast.UnaryExpr, *ast.KeyValueExpr:
		case *ast.CallExpr:
			if p.Node() != c.Node() {
				return false // an argument
			}
		case *ast.AssignStmt:
			return n.Tok == token.DEFINE && len(n.Lhs) == 1
		default:
			return false
		}
	}
	return false
}

// holders returns the methods that name the arena.
func (w *writer) holders(o *owner) (all []function) {
	seen := map[*ast.FuncDecl]bool{o.release.decl: true}
	all = append(all, o.release)
	for _, s := range o.sites {
		if !seen[s.in.decl] {
			seen[s.in.decl] = true
			all = append(all, s.in)
		}
	}
	return all
}

// receiver returns the name of a method's receiver, or one that it can get.
func (w *writer) receiver(f function) (name string, ok bool) {
	recv := f.decl.Recv.List[0]
	if len(recv.Names) == 0 {
		name = strings.ToLower(named(f.object.Signature().Recv().Type()).Name()[:1])
	} else {
		name = recv.Names[0].Name
	}
	for c := range f.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		declared := len(recv.Names) > 0 && (id == recv.Names[0] || w.info.Uses[id] == w.info.Defs[recv.Names[0]])
		if id.Name == name && !declared {
			return "", false
		}
	}
	return name, name != "_" && token.IsIdentifier(name)
}

// lacks reports whether a value of the owner has neither a field nor a method of a name.
func (o *owner) lacks(name string) bool {
	object, _, _ := types.LookupFieldOrMethod(o.typ.Type(), true, o.typ.Pkg(), name)
	return object == nil
}

// field adds the arena to the type.
func (o *owner) field(name, qualifier string) analysis.TextEdit {
	fields := o.spec.Type.(*ast.StructType).Fields
	text := name + " *" + qualifier + "Arena"
	if len(fields.List) == 0 {
		return analysis.TextEdit{Pos: fields.Opening, End: fields.Closing + 1, NewText: []byte("{ " + text + " }")}
	}
	return rewrite.Insert(fields.Opening+1, "\n\t"+text+"\n")
}

// value adds the arena to the value of the constructor.
func (o *owner) value(name, pool string) analysis.TextEdit {
	text := name + ": " + pool + ".Get()"
	if len(o.literal.Elts) > 0 {
		text += ", "
	}
	return rewrite.Insert(o.literal.Lbrace+1, text)
}

// end ends the arena where the release ends.
func (w *writer) end(release function, receiver string) analysis.TextEdit {
	body := release.decl.Body
	text := receiver + "." + w.name + ".Free()"
	line := func(p token.Pos) int { return w.pass.Fset.Position(p).Line }
	if line(body.Lbrace) == line(body.Rbrace) {
		if len(body.List) == 0 {
			return analysis.TextEdit{Pos: body.Lbrace, End: body.Rbrace + 1, NewText: []byte("{ " + text + " }")}
		}
		return rewrite.Insert(body.Rbrace, "; "+text)
	}
	return rewrite.Insert(body.Rbrace, "\t"+text+"\n")
}
