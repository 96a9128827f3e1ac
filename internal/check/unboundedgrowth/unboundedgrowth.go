// Package unboundedgrowth finds maps and slices of a package that only ever grow.
package unboundedgrowth

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report maps and slices of a package that only grow

A map in a package-level variable lives as long as the program. If functions add to it
and nothing removes from it, it holds everything that was ever added: a leak that no
stack trace shows, and work for every collection.

	var sessions = map[string]*session{}

	func begin(id string) *session {
		s := &session{}
		sessions[id] = s // and nothing deletes it
		return s
	}

The check looks at unexported variables that are maps, slices or sync.Maps, and at
such fields of variables of an unnamed struct type. It reports an addition if the
package nowhere deletes, clears, reassigns, compares the length with a limit, or hands
the variable to other code. It is silent where keys are few (constants, types,
booleans, bytes, and types with named values), and where init, main, a test or a
function that registers or configures adds. Registries grow, too, but stop. So the
check reports only lines that hold live memory in a heap profile. There is no fix:
only the author knows when an entry is no longer needed.`

// Analyzer finds variables of a package that only grow.
var Analyzer = &analysis.Analyzer{
	Name:     "unboundedgrowth",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

// store records how a package uses one of its variables or a field of one.
type store struct {
	additions []addition
	escapes   bool // something other than an addition may change or limit it
}

type addition struct {
	at  ast.Node
	key ast.Expr // nil for a slice
	fn  *ast.FuncDecl
}

func run(pass *analysis.Pass) (any, error) {
	info := pass.TypesInfo
	stores := map[*types.Var]*store{}
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.Ident)(nil)) {
		v, ok := info.Uses[c.Node().(*ast.Ident)].(*types.Var)
		if !ok || !long(pass.Pkg, v) {
			continue
		}
		place := c
		if sel, ok := c.Parent().Node().(*ast.SelectorExpr); ok && sel.X == c.Node() {
			if s := info.Selections[sel]; s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1 {
				v, place = s.Obj().(*types.Var), c.Parent()
			}
		}
		if !grows(v.Type()) {
			continue
		}
		if stores[v] == nil {
			stores[v] = &store{}
		}
		stores[v].use(info, v, place)
	}
	for v, s := range stores {
		if s.escapes {
			continue
		}
		for _, a := range s.additions {
			if !startup(pass, a.fn) && !few(info, a) {
				pass.Report(analysis.Diagnostic{
					Pos: a.at.Pos(), End: a.at.End(), Related: made(info, a),
					Message: v.Name() + " only grows: nothing in the package takes entries out",
				})
				break
			}
		}
	}
	return nil, nil
}

// long reports whether v lives as long as the program and is seen by its package
// alone.
func long(pkg *types.Package, v *types.Var) bool {
	return v.Pkg() == pkg && v.Parent() == pkg.Scope() && !v.Exported()
}

// grows reports whether t is a map, a slice or a sync.Map.
func grows(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return isSyncMap(t)
}

func isSyncMap(t types.Type) bool { return types.TypeString(t, nil) == "sync.Map" }

// use records the use of the variable v by the code at c, which names it.
func (s *store) use(info *types.Info, v *types.Var, c inspector.Cursor) {
	e := c.Node().(ast.Expr)
	fn := function(c)
	switch parent := c.Parent().Node().(type) {
	case *ast.IndexExpr:
		if parent.X != e {
			s.escapes = true
			return
		}
		stmt := c.Parent().Parent().Node()
		assign, ok := stmt.(*ast.AssignStmt)
		_, counts := stmt.(*ast.IncDecStmt)
		_, isMap := v.Type().Underlying().(*types.Map)
		if isMap && (counts || ok && contains(assign.Lhs, parent)) {
			s.additions = append(s.additions, addition{stmt, parent.Index, fn})
		}
	case *ast.RangeStmt:
		s.escapes = s.escapes || parent.X != e
	case *ast.CallExpr:
		switch {
		case rewrite.IsBuiltin(info, parent, "len"):
			if compare, ok := c.Parent().Parent().Node().(*ast.BinaryExpr); ok && limits(info, compare) {
				s.escapes = true
			}
		case rewrite.IsBuiltin(info, parent, "append") && parent.Args[0] == e && appendsToItself(info, v, c.Parent()):
		default:
			s.escapes = true
		}
	case *ast.AssignStmt:
		i := index(parent.Lhs, e)
		if i < 0 || len(parent.Lhs) != len(parent.Rhs) {
			s.escapes = true
			return
		}
		call, ok := ast.Unparen(parent.Rhs[i]).(*ast.CallExpr)
		switch {
		case ok && rewrite.IsBuiltin(info, call, "append") && variable(info, call.Args[0]) == v:
			s.additions = append(s.additions, addition{at: parent, fn: fn})
		case first(info, v, c):
		default:
			s.escapes = true
		}
	case *ast.SelectorExpr: // a method of sync.Map
		call, ok := c.Parent().Parent().Node().(*ast.CallExpr)
		if !isSyncMap(v.Type()) || !ok || call.Fun != parent {
			s.escapes = true
			return
		}
		switch parent.Sel.Name {
		case "Store", "LoadOrStore", "Swap":
			s.additions = append(s.additions, addition{call, call.Args[0], fn})
		case "Load", "Range", "CompareAndSwap":
		default:
			s.escapes = true
		}
	case *ast.BinaryExpr: // a comparison with nil
	default:
		s.escapes = true
	}
}

// first reports whether an assignment makes a variable that is nil: it stands below a
// comparison of v with nil.
func first(info *types.Info, v *types.Var, c inspector.Cursor) bool {
	for branch := range c.Enclosing((*ast.IfStmt)(nil)) {
		if cond, ok := branch.Node().(*ast.IfStmt).Cond.(*ast.BinaryExpr); ok && cond.Op == token.EQL && variable(info, cond.X) == v {
			return true
		}
	}
	return false
}

// limits reports whether a comparison of a length is with something other than 0.
func limits(info *types.Info, e *ast.BinaryExpr) bool {
	for _, side := range []ast.Expr{e.X, e.Y} {
		if v := info.Types[side].Value; v != nil && v.String() == "0" {
			return false
		}
	}
	return true
}

func appendsToItself(info *types.Info, v *types.Var, call inspector.Cursor) bool {
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	return ok && len(assign.Lhs) == 1 && variable(info, assign.Lhs[0]) == v
}

// variable returns the variable or field that e names.
func variable(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := info.Uses[e.Sel].(*types.Var)
		return v
	}
	return nil
}

func index(all []ast.Expr, e ast.Expr) int {
	for i := range all {
		if all[i] == e {
			return i
		}
	}
	return -1
}

func contains(all []ast.Expr, e ast.Expr) bool { return index(all, e) >= 0 }

// function returns the declared function around c, or nil.
func function(c inspector.Cursor) *ast.FuncDecl {
	for fn := range c.Enclosing((*ast.FuncDecl)(nil)) {
		return fn.Node().(*ast.FuncDecl)
	}
	return nil
}

// startup reports whether an addition is made when the program starts or in a test.
func startup(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	if fn == nil || strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go") {
		return true
	}
	name := strings.ToLower(fn.Name.Name)
	for _, word := range []string{"init", "main", "register", "must", "setup", "install", "define", "declare", "configure"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return onlyCalledAtStart(pass, fn)
}

// onlyCalledAtStart reports whether an unexported function is called by the package's
// init functions and initializers alone.
func onlyCalledAtStart(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	if fn.Name.IsExported() || fn.Recv != nil {
		return false
	}
	obj := pass.TypesInfo.Defs[fn.Name]
	called := false
	root := rewrite.Files(pass)
	for c := range root.Preorder((*ast.Ident)(nil)) {
		if pass.TypesInfo.Uses[c.Node().(*ast.Ident)] != obj {
			continue
		}
		called = true
		if caller := function(c); caller != nil && caller.Name.Name != "init" {
			return false
		}
	}
	return called
}

// made returns the place that defines the added value, because its memory may be
// allocated there.
func made(info *types.Info, a addition) []analysis.RelatedInformation {
	assign, ok := a.at.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return nil
	}
	value := assign.Rhs[0]
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && rewrite.IsBuiltin(info, call, "append") && len(call.Args) > 1 {
		value = call.Args[1]
	}
	v := rewrite.Root(info, value)
	var all []analysis.RelatedInformation
	ast.Inspect(a.fn, func(n ast.Node) bool {
		if def, ok := n.(*ast.AssignStmt); ok && v != nil {
			for _, left := range def.Lhs {
				if rewrite.Variable(info, left) == v {
					all = append(all, analysis.RelatedInformation{Pos: def.Pos(), End: def.End(), Message: "the value"})
				}
			}
		}
		return true
	})
	return all
}

// few reports whether the keys of an addition are few by their nature.
func few(info *types.Info, a addition) bool {
	if a.key == nil {
		return false
	}
	return info.Types[a.key].Value != nil || bounded(info.TypeOf(a.key), 0)
}

// bounded reports whether a type has few values: types, enumerations, bytes, booleans,
// and structs or arrays of them.
func bounded(t types.Type, depth int) bool {
	if depth > 3 {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		switch obj := named.Obj(); {
		case obj.Pkg() != nil && (obj.Pkg().Path() == "reflect" || obj.Pkg().Path() == "go/types" || obj.Pkg().Path() == "go/token"):
			return true
		case enumerated(named):
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Bool || u.Kind() == types.Uint8 || u.Kind() == types.Int8 || u.Kind() == types.Uintptr
	case *types.Struct:
		for f := range u.Fields() {
			if bounded(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Interface: // of types, descriptors and the like
		return !u.Empty()
	}
	return false
}

// enumerated reports whether a package declares constants of a type.
func enumerated(named *types.Named) bool {
	if named.Obj().Pkg() == nil {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			return true
		}
	}
	return false
}
