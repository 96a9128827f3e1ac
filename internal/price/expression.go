package price

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/repeated"
)

// candidate is an expression that can be executed again beside its statement.
type candidate struct {
	// at is the place of the extra executions.
	at   place
	text string // one extra execution
	// memory is set if the expression's cost is only its memory's.
	memory bool
	// pointers is set if the memory may hold pointers.
	pointers bool
}

// place is a position before a statement, or behind it.
type place struct {
	pos    token.Pos
	behind bool
}

// finder looks for the expressions of a line.
type finder struct {
	fset *token.FileSet
	info *types.Info
	src  []byte
}

// kinds are the nodes that may allocate.
var kinds = []ast.Node{
	(*ast.CallExpr)(nil), (*ast.BinaryExpr)(nil), (*ast.CompositeLit)(nil), (*ast.UnaryExpr)(nil), (*ast.FuncLit)(nil),
	(*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.IndexExpr)(nil), (*ast.StarExpr)(nil),
}

// nothing is the reason if no expression of a line allocates as far as its text shows.
const nothing = "no expression of the line can be executed again"

// find returns the expression of a site to amplify or, without one, the reason. The compiler's
// column may be of an allocation that the text does not show, such as the slice of variadic
// arguments; then it is the line's only expression that allocates.
func (f finder) find(c inspector.Cursor, s Site) (found candidate, why string) {
	if s.Whole {
		if found, why = f.findAt(c, Site{File: s.File, Line: s.Line}); why == "" {
			return found, ""
		}
	}
	if found, why = f.findAt(c, s); why == nothing && s.Column > 0 {
		s.Column = 0
		return f.findAt(c, s)
	}
	return found, why
}

// findAt looks at the site's column only, if it has one.
func (f finder) findAt(c inspector.Cursor, s Site) (found candidate, why string) {
	why = nothing
	var all []candidate
	end := token.NoPos // the last candidate's: what is in it is executed with it
	refused := false   // an expression before or around the next ones may allocate more
	for e := range c.Preorder(kinds...) {
		expr := e.Node().(ast.Expr)
		other := s.Boxes && !boxes(f.info, e) || s.Grows && !f.appends(expr)
		if other || !f.at(expr, s) || s.Column == 0 && expr.Pos() < end {
			continue
		}
		found, reason := f.candidate(e, s.Column > 0)
		if reason != "" {
			why, refused = reason, true
		}
		if found.text == "" || refused && s.Column == 0 {
			continue
		}
		all, end = append(all, found), expr.End()
	}
	switch len(all) {
	case 0:
		return found, why
	case 1:
		return all[0], ""
	}
	return found, "the line has several expressions that allocate"
}

// at reports whether an expression is a site's, by the compiler's position of it, or by its
// beginning where the value becomes an interface.
func (f finder) at(e ast.Expr, s Site) bool {
	p := f.fset.Position(repeated.Position(e))
	begins := s.Boxes && f.fset.Position(e.Pos()).Column == s.Column
	return p.Line == s.Line && (s.Column == 0 || p.Column == s.Column || begins)
}

func (f finder) appends(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && f.builtin(call) == "append"
}

// candidate returns an expression's candidate, or the reason why it has none: "" for one
// that does not allocate. That a variable does is known only where the compiler names it.
func (f finder) candidate(e inspector.Cursor, exact bool) (found candidate, why string) {
	expr := e.Node().(ast.Expr)
	if id, ok := expr.(*ast.Ident); ok && f.info.Defs[id] != nil {
		if exact {
			return f.moved(e, id), ""
		}
		return found, ""
	}
	keep, second := f.keeper(e)
	if keep == "" {
		return found, ""
	}
	statement := statementOf(e)
	if statement == nil {
		return found, "the line executes the expression only sometimes"
	}
	found = candidate{at: place{pos: statement.Pos()}, pointers: f.pointers(expr)}
	reads := reads{f.info, statement.Pos()}
	if f.appends(expr) {
		return f.growth(found, expr.(*ast.CallExpr), reads)
	}
	if !reads.only(expr) {
		lit := structOf(f.info, expr)
		if lit == nil {
			return found, "executing the expression again could change more than memory"
		}
		// The values cannot be computed again, so the extra literals have none.
		found.memory, found.text = true, fmt.Sprintf("heapwrightKeepPointer(%s{})", f.span(expr.Pos(), lit.Lbrace))
		return found, ""
	}
	found.memory = f.onlyMemory(expr) || !f.allocates(e)
	if call, ok := expr.(*ast.CallExpr); ok && keep == "Slice" && f.builtin(call) == "make" {
		keep = "Made" // nobody else has it yet
	}
	text := f.span(expr.Pos(), expr.End())
	found.text = fmt.Sprintf("heapwrightKeep%s(%s)", keep, text)
	if second {
		found.text = fmt.Sprintf("heapwrightResult, _ := %s; heapwrightKeep%s(heapwrightResult)", text, keep)
	}
	return found, ""
}

func (f finder) span(from, to token.Pos) string {
	return string(f.src[f.fset.Position(from).Offset:f.fset.Position(to).Offset])
}

// growth makes the extra executions of an append grow a slice where the append does: the
// price is the cost of growing.
func (f finder) growth(found candidate, call *ast.CallExpr, reads reads) (candidate, string) {
	n := fmt.Sprint(len(call.Args) - 1)
	if call.Ellipsis.IsValid() {
		if !reads.only(call.Args[1]) {
			return candidate{}, "executing the expression again could change more than memory"
		}
		n = fmt.Sprintf("len(%s)", f.span(call.Args[1].Pos(), call.Args[1].End()))
	}
	if !reads.only(call.Args[0]) {
		return candidate{}, "executing the expression again could change more than memory"
	}
	found.text = fmt.Sprintf("heapwrightGrow(%s, %s)", f.span(call.Args[0].Pos(), call.Args[0].End()), n)
	return found, ""
}

// moved returns a candidate for a variable that is declared on the heap.
func (f finder) moved(c inspector.Cursor, id *ast.Ident) candidate {
	v, ok := f.info.Defs[id].(*types.Var)
	if !ok || v.IsField() {
		return candidate{}
	}
	found := candidate{
		text: fmt.Sprintf("heapwrightKeepCopy(%s)", id.Name), memory: true, pointers: hasPointers(v.Type()),
	}
	for ; ; c = c.Parent() {
		switch n := c.Parent().Node().(type) {
		case *ast.BlockStmt, *ast.CaseClause:
			found.at = place{c.Node().End(), true}
			return found
		case *ast.CommClause:
			if c.Node() == ast.Node(n.Comm) {
				found.at = place{pos: n.Colon + 1}
			} else {
				found.at = place{c.Node().End(), true}
			}
			return found
		case *ast.RangeStmt:
			found.at = place{pos: n.Body.Lbrace + 1}
			return found
		case *ast.FuncDecl:
			if n.Body == nil {
				return candidate{}
			}
			found.at = place{pos: n.Body.Lbrace + 1}
			return found
		case *ast.FuncLit:
			found.at = place{pos: n.Body.Lbrace + 1}
			return found
		case *ast.ForStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.File, nil:
			return candidate{} // each iteration of a for has its own variable
		}
	}
}

// structOf returns the literal in &T{…} of a struct, nil if that is no such expression.
func structOf(info *types.Info, e ast.Expr) *ast.CompositeLit {
	address, ok := e.(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	lit, _ := address.X.(*ast.CompositeLit)
	if _, is := info.TypeOf(address.X).Underlying().(*types.Struct); !is || lit == nil || lit.Type == nil {
		return nil
	}
	return lit
}

// keeper returns the function that stores a result on the heap, and whether the
// expression has an error beside it. It is "" for an expression that does not allocate.
func (f finder) keeper(c inspector.Cursor) (name string, second bool) {
	e := c.Node().(ast.Expr)
	if tv := f.info.Types[e]; f.allocates(c) {
		t := tv.Type
		if tuple, ok := t.(*types.Tuple); ok {
			if tuple.Len() != 2 || !types.Identical(tuple.At(1).Type(), types.Universe.Lookup("error").Type()) {
				return "", false
			}
			t, second = tuple.At(0).Type(), true
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return "Pointer", second
		case *types.Slice:
			return "Slice", second
		case *types.Map, *types.Chan, *types.Signature, *types.Interface:
			return "Value", second
		case *types.Basic:
			if u.Info()&types.IsString != 0 {
				return "String", second
			}
		}
	}
	if boxes(f.info, c) {
		return "Value", false
	}
	return "", false
}

// allocates reports whether an expression is of a kind that allocates its result.
func (f finder) allocates(c inspector.Cursor) bool {
	info := f.info
	switch e := c.Node().(type) {
	case *ast.CompositeLit:
		switch info.TypeOf(e).Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
	case *ast.UnaryExpr:
		_, lit := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.BinaryExpr:
		return e.Op == token.ADD && info.Types[e].Value == nil
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() { // a conversion of text
			_, from := info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
			_, to := info.TypeOf(e).Underlying().(*types.Basic)
			return from != to && info.Types[e].Value == nil
		}
		return info.Types[e].Type != nil
	case *ast.FuncLit:
		return true
	case *ast.SelectorExpr: // a method value
		s := info.Selections[e]
		kind, _ := c.ParentEdge()
		return s != nil && s.Kind() == types.MethodVal && kind != edge.CallExpr_Fun
	}
	return false
}

// onlyMemory reports whether an expression does nothing but allocate.
func (f finder) onlyMemory(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr, *ast.FuncLit, *ast.SelectorExpr:
		return true
	case *ast.CallExpr:
		name := f.builtin(e)
		return name == "make" || name == "new"
	}
	return false
}

func (f finder) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// pointers reports whether the memory of an expression may hold pointers.
func (f finder) pointers(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return hasPointers(u.Elem())
	case *types.Slice:
		return hasPointers(u.Elem())
	case *types.Map:
		return hasPointers(u.Key()) || hasPointers(u.Elem())
	case *types.Basic:
		return u.Info()&types.IsString == 0 && hasPointers(t)
	}
	return hasPointers(t)
}

// statementOf returns the statement of a list that always executes an expression, and
// once; nil if there is none.
func statementOf(c inspector.Cursor) ast.Stmt {
	for ; ; c = c.Parent() {
		parent := c.Parent()
		switch p := parent.Node().(type) {
		case *ast.CommClause:
			if c.Node() == ast.Node(p.Comm) {
				return nil
			}
			return c.Node().(ast.Stmt)
		case *ast.BlockStmt, *ast.CaseClause:
			if statement, ok := c.Node().(ast.Stmt); ok {
				return statement
			}
			return nil // a case's expression
		case *ast.BinaryExpr:
			if (p.Op == token.LAND || p.Op == token.LOR) && c.Node() == ast.Node(p.Y) {
				return nil
			}
		case *ast.ForStmt:
			if c.Node() != ast.Node(p.Init) {
				return nil
			}
		case *ast.IfStmt:
			if c.Node() == ast.Node(p.Else) || p.Init != nil && c.Node() != ast.Node(p.Init) {
				return nil // the condition may need Init's variables
			}
		case *ast.SwitchStmt:
			if p.Init != nil && c.Node() != ast.Node(p.Init) {
				return nil
			}
		case *ast.FuncLit, *ast.FuncDecl, *ast.File, *ast.LabeledStmt, *ast.SelectStmt, nil:
			return nil
		}
	}
}
