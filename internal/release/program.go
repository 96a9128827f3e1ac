package release

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/source"
)

// Program is the source of a program's own packages. It may be used by one goroutine
// at a time. A nil Program knows nothing.
type Program struct {
	index     *source.Index
	fset      *token.FileSet
	functions []*function
	declared  map[*types.Func]*function
	files     map[string][]*function // file → its functions; at makes it
	locals    map[string]string      // this machine's names of the files in profiles
	called    map[*types.Func][]reference
	named     map[*types.Func]int
}

// function is a declared function or a function literal.
type function struct {
	pkg      *flow.Package
	node     ast.Node // *ast.FuncDecl or *ast.FuncLit
	kind     *ast.FuncType
	body     *ast.BlockStmt
	outer    *function // the function that has the literal
	object   *types.Func
	graph    *cfg.CFG
	selected map[ast.Node]bool // what select statements send and receive
	program  *Program
}

// Place is a line of source on this machine.
type Place struct {
	Function string // the name in profiles; for literals, of the declared function
	File     string
	Line     int
	Text     string // the expression, as far as it is worth showing
}

// OfTest reports whether the place is in a test.
func (p Place) OfTest() bool { return strings.HasSuffix(p.File, "_test.go") }

// New reads the functions of a program; nil where there is none.
func New(f *flow.Program) *Program {
	if f == nil {
		return nil
	}
	packages, fset := f.Packages()
	p := Of(fset, packages...)
	p.index = f.Index()
	return p
}

// Of reads the functions of packages. Without an index, places of profiles are not found.
func Of(fset *token.FileSet, packages ...flow.Package) *Program {
	p := &Program{fset: fset, declared: map[*types.Func]*function{}, locals: map[string]string{}}
	for i := range packages {
		for _, file := range packages[i].Files {
			p.add(&packages[i], file)
		}
	}
	return p
}

func (p *Program) add(pkg *flow.Package, file *ast.File) {
	var stack []*function
	var nodes []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			if last := len(stack) - 1; last >= 0 && stack[last].node == nodes[len(nodes)-1] {
				stack = stack[:last]
			}
			nodes = nodes[:len(nodes)-1]
			return true
		}
		nodes = append(nodes, n)
		fn := &function{pkg: pkg, node: n, program: p}
		switch n := n.(type) {
		case *ast.FuncDecl:
			fn.kind, fn.body = n.Type, n.Body
			fn.object, _ = pkg.Info.Defs[n.Name].(*types.Func)
			if fn.object != nil {
				p.declared[fn.object] = fn
			}
		case *ast.FuncLit:
			fn.kind, fn.body = n.Type, n.Body
			if len(stack) > 0 {
				fn.outer = stack[len(stack)-1]
			}
		default:
			return true
		}
		stack = append(stack, fn)
		if fn.body != nil {
			p.functions = append(p.functions, fn)
		}
		return true
	})
}

// flowGraph returns the control flow of the function.
func (f *function) flowGraph() *cfg.CFG {
	if f.graph == nil {
		f.graph = cfg.New(f.body, func(c *ast.CallExpr) bool { return !endsProcess(f.pkg.Info, c) })
	}
	return f.graph
}

// endsProcess reports whether a call never returns.
func endsProcess(info *types.Info, c *ast.CallExpr) bool {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "panic" &&
		info.Uses[id] == types.Universe.Lookup("panic") {
		return true
	}
	fn := typeutil.StaticCallee(info, c)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch name := fn.Pkg().Path() + "." + fn.Name(); {
	case name == "os.Exit", name == "runtime.Goexit":
		return true
	default:
		return strings.HasPrefix(name, "log.Fatal") || strings.HasPrefix(name, "log.Panic")
	}
}

// symbol names the declared function that the function is or stands in as profiles do.
func (f *function) symbol() string {
	for f.outer != nil {
		f = f.outer
	}
	if f.object == nil {
		return ""
	}
	pkg := f.pkg.Types.Path()
	if f.pkg.Types.Name() == "main" {
		pkg = "main"
	}
	recv := f.object.Signature().Recv()
	if recv == nil {
		return pkg + "." + f.object.Name()
	}
	t, star := recv.Type(), false
	if p, ok := t.(*types.Pointer); ok {
		t, star = p.Elem(), true
	}
	name, _, _ := strings.Cut(types.TypeString(t, func(*types.Package) string { return "" }), "[")
	if star {
		name = "(*" + name + ")"
	}
	return pkg + "." + name + "." + f.object.Name()
}

func (f *function) place(n ast.Node, text string) Place {
	at := f.program.fset.Position(n.Pos())
	return Place{Function: f.symbol(), File: at.Filename, Line: at.Line, Text: text}
}

func (f *function) lines() (first, last int) {
	return f.program.fset.Position(f.node.Pos()).Line, f.program.fset.Position(f.node.End()).Line
}

// at returns the innermost function that a line of a profile stands in; nil where the
// source does not have it.
func (p *Program) at(symbol, file string, line int) *function {
	if p.files == nil {
		p.files = map[string][]*function{}
		for _, f := range p.functions {
			name := p.fset.Position(f.node.Pos()).Filename
			p.files[name] = append(p.files[name], f)
		}
	}
	local, known := p.locals[file]
	if !known {
		local = p.index.Local(symbol, file)
		p.locals[file] = local
	}
	var best *function
	for _, f := range p.files[local] {
		if first, last := f.lines(); first <= line && line <= last && (best == nil || f.node.Pos() > best.node.Pos()) {
			best = f
		}
	}
	return best
}

// each calls do for every node of the function's body, except in literals.
func (f *function) each(do func(ast.Node)) {
	ast.Inspect(f.body, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		do(n)
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
}

// calls calls do for each call in a node, literals included.
func calls(n ast.Node, do func(*ast.CallExpr)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			do(c)
		}
		return true
	})
}
