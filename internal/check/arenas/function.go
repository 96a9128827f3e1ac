package arenas

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// A function is one declaration or literal whose arenas are followed.
type function struct {
	pass   *analysis.Pass
	info   *types.Info
	cursor inspector.Cursor
	body   *ast.BlockStmt
	graph  *cfg.CFG
	params []*types.Var        // the receiver first; nil for a parameter without a name
	outer  []*types.Var        // parameters of the functions around it
	zeroed []*types.Var        // named results
	ranges map[*ast.Ident]bool // variables where range assigns them

	arenas map[*types.Var]bool   // variables, parameters and fields that are followed
	fields map[string]*types.Var // of these, the fields, by text
	placed map[*types.Var]bool   // the same
	kept   []keep                // memory of parameters
	ending map[*types.Var]bool   // of these, the ones that the function ends on some path, or later
	// owners are variables that hold an arena of their own, with the fields whose
	// memory is the arena's; inside are the fields that get memory of an arena.
	owners, inside map[*types.Var][]string
	known          *fields
	waits          bool   // it waits for another goroutine somewhere
	from           origin // of its first result
	mixed          bool   // its results come from different places

	faults   []Fault
	reported map[any]bool
	speak    bool // report, rather than only compute states

	block   *cfg.Block         // where the flow is
	handing []inspector.Cursor // mentions that hand on the arena that leaks examines
	onError bool               // only paths that return an error are searched
	index   int                // of its node
}

// newFunction returns nil for a function that has no arena of its own.
func newFunction(pass *analysis.Pass, c inspector.Cursor, fields *fields) *function {
	f := &function{known: fields, owners: map[*types.Var][]string{}, inside: map[*types.Var][]string{}, pass: pass, info: pass.TypesInfo, cursor: c, arenas: map[*types.Var]bool{}, ending: map[*types.Var]bool{}, reported: map[any]bool{}, ranges: map[*ast.Ident]bool{}}
	var signature *types.Signature
	switch fn := c.Node().(type) {
	case *ast.FuncDecl:
		f.body = fn.Body
		if obj, ok := f.info.Defs[fn.Name].(*types.Func); ok {
			signature = obj.Signature()
		}
	case *ast.FuncLit:
		f.body = fn.Body
		signature, _ = f.info.TypeOf(fn).(*types.Signature)
	}
	if f.body == nil || signature == nil {
		return nil
	}
	if r := signature.Recv(); r != nil {
		f.params = append(f.params, r)
	}
	for p := range signature.Params().Variables() {
		f.params = append(f.params, p)
	}
	for id := range c.Preorder((*ast.Ident)(nil)) {
		v, ok := f.info.Defs[id.Node().(*ast.Ident)].(*types.Var)
		if ok && !v.IsField() && isArena(v.Type()) && rewrite.Function(id).Node() == c.Node() && f.followed(v) {
			f.arenas[v] = true
		}
	}
	f.findFields()
	f.findOwners()
	if len(f.arenas)+len(f.owners) == 0 {
		return nil
	}
	for call := range c.Preorder((*ast.CallExpr)(nil)) {
		v, e := f.ends(call.Node().(*ast.CallExpr))
		if within := rewrite.Function(call); e != none && (f.arenas[v] || f.owns(v)) && (within.Node() == c.Node() || deferred(within)) {
			f.ending[v] = true
		}
	}
	for r := range signature.Results().Variables() {
		f.zeroed = append(f.zeroed, r)
	}
	for s := range c.Preorder((*ast.RangeStmt)(nil)) {
		for _, e := range []ast.Expr{s.Node().(*ast.RangeStmt).Key, s.Node().(*ast.RangeStmt).Value} {
			if id, ok := e.(*ast.Ident); ok {
				f.ranges[id] = true
			}
		}
	}
	for fn := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fn.Node() != c.Node() {
			f.outer = append(f.outer, f.parametersOf(fn.Node())...)
		}
	}
	f.waits = f.waiting(c)
	return f
}

// parametersOf are those of a declaration or literal, and its receiver.
func (f *function) parametersOf(fn ast.Node) (all []*types.Var) {
	var lists []*ast.FieldList
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		lists = []*ast.FieldList{fn.Recv, fn.Type.Params}
	case *ast.FuncLit:
		lists = []*ast.FieldList{fn.Type.Params}
	}
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				if v, ok := f.info.Defs[id].(*types.Var); ok {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// followed reports whether only the function itself assigns a variable: its address
// is not taken, and no closure assigns it. One that nothing assigns is always nil.
func (f *function) followed(v *types.Var) bool {
	isNil := false
	for _, c := range f.mentions(v) {
		if addressed(c) {
			return false
		}
		if spec, ok := c.Parent().Node().(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			isNil = true
		}
		if assigned(c) {
			if isNil = false; rewrite.Function(c).Node() != f.cursor.Node() {
				return false
			}
		}
	}
	return !isNil
}

// mentions are the identifiers of the function that denote a local variable.
func (f *function) mentions(v *types.Var) []inspector.Cursor {
	return rewrite.Of(f.pass).Mentions(f.cursor, v)
}

// addressed reports whether & takes the address of the variable at c.
func addressed(c inspector.Cursor) bool {
	p, ok := c.Parent().Node().(*ast.UnaryExpr)
	return ok && p.Op.String() == "&"
}

// assigned reports whether the statement at c assigns the variable.
func assigned(c inspector.Cursor) bool {
	assign, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, left := range assign.Lhs {
		if left == c.Node() {
			return true
		}
	}
	return false
}

// deferred reports whether a function literal is called by a defer statement.
func deferred(fn inspector.Cursor) bool {
	call, ok := fn.Parent().Node().(*ast.CallExpr)
	if !ok || call.Fun != fn.Node() {
		return false
	}
	_, ok = fn.Parent().Parent().Node().(*ast.DeferStmt)
	return ok
}

// waiting reports whether a statement below c waits for other goroutines.
func (f *function) waiting(c inspector.Cursor) bool {
	for n := range c.Preorder((*ast.UnaryExpr)(nil), (*ast.SelectStmt)(nil), (*ast.RangeStmt)(nil), (*ast.CallExpr)(nil)) {
		if f.waitsAt(n.Node()) {
			return true
		}
	}
	return false
}

// waitsAt reports whether a node itself waits for another goroutine, or excludes it.
func (f *function) waitsAt(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op.String() == "<-"
	case *ast.RangeStmt:
		_, ok := f.info.TypeOf(n.X).Underlying().(*types.Chan)
		return ok
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
			return sel.Sel.Name == "Wait" || sel.Sel.Name == "Lock" || sel.Sel.Name == "RLock"
		}
	}
	return false
}

// report adds a fault, unless there is one with the same kind and subject.
func (f *function) report(kind Kind, about any, at ast.Node, message string) {
	key := [2]any{kind, about}
	if f.speak && !f.reported[key] {
		f.reported[key] = true
		f.faults = append(f.faults, Fault{kind, at, message})
	}
}

// behaves returns a declared function and its behaviour.
func (f *function) behaves() (*types.Func, *behaviour) {
	decl, ok := f.cursor.Node().(*ast.FuncDecl)
	if !ok {
		return nil, nil
	}
	n := len(f.params)
	b := &behaviour{From: -1, Keeps: f.kept, Borrows: make([]bool, n), Ends: make([]bool, n), Lends: make([]loan, n), Closes: f.closes()}
	if v := f.opens(); v != nil {
		b.Opens = true
		for _, name := range f.inside[v] {
			if !f.known.other[name] {
				b.Inside = append(b.Inside, name)
			}
		}
	}
	for i, p := range f.params {
		if f.arenas[p] {
			if b.Lends[i] = f.lends(p); f.ending[p] {
				b.Lends[i].OK = false
			}
			b.Borrows[i] = !f.ending[p] && len(f.handsOn(p)) == 0
			b.Ends[i] = f.ending[p] && f.endsAlways(p)
			if !f.mixed && f.from.arena == p && f.from.hold == memory {
				b.From = i
			}
		}
	}
	fn, _ := f.info.Defs[decl.Name].(*types.Func)
	return fn, b
}
