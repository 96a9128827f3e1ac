package placement

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/input"
)

// call is a call of a function that gets the arena.
type call struct {
	inspector.Cursor
	in     function
	inside bool // the caller has the arena, and makes the call itself before it returns
}

// thread finds the functions between the root and the sites, which get the arena as their
// first parameter, and the calls of them.
func (w *writer) thread() (calls []call, why string) {
	mentions, abstract := w.mentions()
	reached := w.reachable(mentions)
	var open []function
	for _, s := range w.sites {
		if s.in.object == w.root.object {
			continue
		}
		if !reached[s.in.object] {
			return nil, "no chain of calls leads from " + w.root.decl.Name.Name + " to the objects"
		}
		open = append(open, s.in)
	}
	for len(open) > 0 {
		f := open[0]
		open = open[1:]
		if w.enters[f.object] {
			continue
		}
		w.enters[f.object] = true
		if why := w.fixed(f); why != "" {
			return nil, why
		}
		public := ast.IsExported(f.decl.Name.Name) || f.decl.Recv != nil && abstract[f.decl.Name.Name]
		for _, id := range mentions[f.object] {
			c, ok := w.callOf(id)
			if !ok {
				public = true // a value, whose type cannot change
				continue
			}
			if c.inside && c.in.object != w.root.object && reached[c.in.object] {
				open = append(open, c.in)
			}
			calls = append(calls, c)
		}
		w.wrapped[f.object] = public
	}
	why = w.mentionedElsewhere()
	return calls, why
}

// mentions returns the uses of each function of the package, and the names of the methods
// of its interfaces.
func (w *writer) mentions() (of map[*types.Func][]inspector.Cursor, abstract map[string]bool) {
	of, abstract = map[*types.Func][]inspector.Cursor{}, map[string]bool{}
	for c := range w.inspector.Preorder((*ast.Ident)(nil)) {
		fn, ok := w.info.ObjectOf(c.Node().(*ast.Ident)).(*types.Func)
		if !ok {
			continue
		}
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			abstract[fn.Name()] = true
		}
		if w.info.Uses[c.Node().(*ast.Ident)] != nil {
			of[fn.Origin()] = append(of[fn.Origin()], c)
		}
	}
	return of, abstract
}

// reachable returns the functions that a call of the root can reach by calls that it makes
// itself.
func (w *writer) reachable(mentions map[*types.Func][]inspector.Cursor) map[*types.Func]bool {
	callees := map[*types.Func][]*types.Func{}
	for fn, all := range mentions {
		for _, id := range all {
			if c, ok := w.callOf(id); ok && c.inside {
				callees[c.in.object] = append(callees[c.in.object], fn)
			}
		}
	}
	reached := map[*types.Func]bool{}
	open := []*types.Func{w.root.object}
	for len(open) > 0 {
		fn := open[0]
		open = open[1:]
		for _, callee := range callees[fn] {
			if !reached[callee] {
				reached[callee] = true
				open = append(open, callee)
			}
		}
	}
	return reached
}

// callOf returns the call of the function that an identifier denotes. It reports false if
// the identifier is no call's function.
func (w *writer) callOf(id inspector.Cursor) (call, bool) {
	fun := id
	if fun.ParentEdgeKind() == edge.SelectorExpr_Sel {
		fun = fun.Parent()
		if s := w.info.Selections[fun.Node().(*ast.SelectorExpr)]; s == nil || s.Kind() != types.MethodVal {
			return call{}, false
		}
	}
	if fun.ParentEdgeKind() != edge.CallExpr_Fun {
		return call{}, false
	}
	c := call{Cursor: fun.Parent(), inside: true}
	for p := range c.Enclosing() {
		switch n := p.Node().(type) {
		case *ast.GoStmt:
			c.inside = c.inside && n.Call != c.Node()
		case *ast.DeferStmt:
			c.inside = c.inside && n.Call != c.Node()
		case *ast.FuncLit:
			c.inside = false // it may run at any time
		case *ast.FuncDecl:
			c.in = w.functionOf(p)
			return c, true
		}
	}
	return c, true // a variable of the package
}

// fixed says why a function can have no twin with one more parameter, "" if it can.
func (w *writer) fixed(f function) string {
	name := f.decl.Name.Name
	if name == "init" || name == "main" {
		return name + " takes no parameters"
	}
	for _, c := range f.comments() {
		if strings.HasPrefix(c.Text, "//go:linkname") || strings.HasPrefix(c.Text, "//export") {
			return name + " is called from elsewhere"
		}
	}
	return ""
}

func (f function) comments() []*ast.Comment {
	if f.decl.Doc == nil {
		return nil
	}
	return f.decl.Doc.List
}

// maxFile is far above the size in bytes of any file that the compiler takes in useful time.
const maxFile = 64 << 20

// mentionedElsewhere keeps the signatures of functions that tests of the package, or files
// that this build leaves out, mention. It says why there is no change if such a file declares
// one: in the other build, calls with an arena would reach a function without it.
func (w *writer) mentionedElsewhere() (why string) {
	dir := filepath.Dir(w.pass.Fset.Position(w.root.decl.Pos()).Filename)
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is valid, unless the folder's name is odd
	for i, file := range slices.Concat(w.pass.IgnoredFiles, tests) {
		names, err := namesIn(file)
		if err != nil {
			return file + " cannot be read"
		}
		for fn := range w.enters {
			if i < len(w.pass.IgnoredFiles) && names.declare(fn) {
				return "a file of another build declares " + fn.Name() + ", too"
			}
			if names.have(fn) {
				w.wrapped[fn] = true
				if names.plain[fn.Name()+suffix] {
					return "the name " + fn.Name() + suffix + " is taken"
				}
			}
		}
	}
	return ""
}

// names are the identifiers of a file: those behind a dot and of methods, all of them, and
// the functions and methods that it declares.
type names struct{ members, plain, declared map[string]bool }

// declare reports whether the file may declare a function.
func (n names) declare(fn *types.Func) bool { return n.declared[fn.Name()] }

// have reports whether the file may mention a function.
func (n names) have(fn *types.Func) bool {
	if fn.Signature().Recv() != nil {
		return n.members[fn.Name()]
	}
	return n.plain[fn.Name()]
}

// namesIn returns the identifiers of a file of Go. It has none if it does not parse.
func namesIn(file string) (names, error) {
	found := names{members: map[string]bool{}, plain: map[string]bool{}, declared: map[string]bool{}}
	if filepath.Ext(file) != ".go" {
		return found, nil
	}
	text, err := input.ReadRegular(file, maxFile)
	if err != nil {
		return found, err
	}
	tree, _ := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if tree == nil {
		return found, nil
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found.members[n.Sel.Name] = true
		case *ast.FuncDecl:
			found.members[n.Name.Name] = true
			found.declared[n.Name.Name] = true
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, id := range method.Names {
					found.members[id.Name] = true
				}
			}
		case *ast.Ident:
			found.plain[n.Name] = true
		}
		return true
	})
	return found, nil
}
