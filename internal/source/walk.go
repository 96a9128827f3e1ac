package source

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/source/escape"
)

// walker finds the allocations of a package, by its syntax and as far as known its
// types. Positions are those that the compiler gives to the allocating
// instruction: a call's opening parenthesis, a literal's brace, an operator.
type walker struct {
	fset    *token.FileSet
	info    *types.Info
	pkg     *types.Package
	shrinks map[types.Object]token.Pos // variables and fields that the package also makes smaller, and where
	popped  map[types.Object]token.Pos // slices whose arrays keep the elements that were taken, and where
	emptied map[types.Object]token.Pos // likewise, when all were taken
	zeroed  map[types.Object]token.Pos // slices whose elements the package sets to zero, and where
	slots   map[types.Object]token.Pos // slices whose elements it replaces, and where
	aliases map[types.Object]ast.Expr  // local variables and their first values
	read    map[types.Object]bool      // variables and fields whose value is used
	counts  counts
	guards  []guard
	files   []*ast.File
	stack   []ast.Node // the nodes around the present one, the file first
	found   []Allocation
}

func (w *walker) walk(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		w.visit(n)
		w.stack = append(w.stack, n)
		return true
	})
}

func (w *walker) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		w.call(n)
	case *ast.BinaryExpr:
		w.concat(n)
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.AssignStmt:
		w.assign(n)
		w.locals(n)
	case *ast.ValueSpec:
		for _, id := range n.Names {
			w.local(id)
		}
	case *ast.IncDecStmt:
		w.insert(n.X)
	case *ast.ReturnStmt:
		w.returns(n)
	case *ast.FuncLit:
		if w.captures(n) && !w.calledAtOnce(n) {
			w.add(n.Pos(), Allocation{Kind: Closure, Text: "func literal"})
		}
	case *ast.SelectorExpr:
		w.methodValue(n)
	case *ast.GoStmt:
		w.add(n.Pos(), Allocation{Kind: Go, Text: w.text(n.Call.Fun), Callee: w.callee(ast.Unparen(n.Call.Fun))})
	case *ast.DeferStmt:
		if w.loop() != nil {
			w.add(n.Pos(), Allocation{Kind: Defer, Text: w.text(n.Call.Fun)})
		}
	case *ast.SliceExpr:
		w.slicing(n)
	case *ast.SendStmt:
		w.send(n)
	case *ast.RangeStmt:
		w.rangeCopy(n)
	}
}

// add notes an allocation at the node that is being visited.
func (w *walker) add(at token.Pos, a Allocation) {
	a.Position = w.position(at)
	a.InLoop = w.loop() != nil
	a.Apart = a.Kind == Call && w.apart()
	a.in = w.inside()
	w.found = append(w.found, a)
}

// position returns the place of a node.
func (w *walker) position(at token.Pos) Position {
	p := w.fset.Position(at)
	return Position{File: p.Filename, Line: p.Line, Column: p.Column}
}

// loop returns the innermost loop around the node within its function, or nil.
func (w *walker) loop() ast.Stmt {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch n := w.stack[i].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return nil
		case *ast.ForStmt:
			if i+1 < len(w.stack) && w.stack[i+1] == ast.Node(n.Init) {
				continue
			}
			return n
		case *ast.RangeStmt:
			if i+1 < len(w.stack) && w.stack[i+1] == ast.Node(n.X) {
				continue // evaluated once
			}
			return n
		}
	}
	return nil
}

// function returns the body of the function around the node, or nil.
func (w *walker) function() *ast.BlockStmt {
	for i := len(w.stack) - 1; i >= 0; i-- {
		switch n := w.stack[i].(type) {
		case *ast.FuncDecl:
			return n.Body
		case *ast.FuncLit:
			return n.Body
		}
	}
	return nil
}

// apart reports whether the node is in a function literal that a go statement runs.
func (w *walker) apart() bool {
	for i := len(w.stack) - 1; i >= 2; i-- {
		if lit, ok := w.stack[i].(*ast.FuncLit); ok {
			call, _ := w.stack[i-1].(*ast.CallExpr)
			started, ok := w.stack[i-2].(*ast.GoStmt)
			return ok && started.Call == call && call.Fun == ast.Expr(lit)
		}
	}
	return false
}

// inside returns the declared function around the node, as a profile names it.
func (w *walker) inside() string {
	for _, n := range w.stack {
		if d, ok := n.(*ast.FuncDecl); ok {
			if fn, ok := w.info.Defs[d.Name].(*types.Func); ok {
				return symbol(fn)
			}
		}
	}
	return ""
}

func (w *walker) parent() ast.Node {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if _, ok := w.stack[i].(*ast.ParenExpr); !ok {
			return w.stack[i]
		}
	}
	return nil
}

func (w *walker) text(e ast.Expr) string { return escape.Short(types.ExprString(e)) }

// typeOf returns an expression's type, or nil where it is not known.
func (w *walker) typeOf(e ast.Expr) types.Type {
	t := w.info.TypeOf(e)
	if t == types.Typ[types.Invalid] {
		return nil
	}
	return t
}

// name returns a type as a programmer of the package writes it.
func (w *walker) name(t types.Type) string {
	if t == nil {
		return ""
	}
	return escape.Short(types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		return p.Name()
	}))
}
