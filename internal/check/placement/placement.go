// Package placement writes the change that puts objects of a function into an arena, which
// begins and ends with a call of the function.
//
// The stance: that the objects die with the call has to be known before. The change keeps
// the order of evaluation, and what other callers get: the plain heap, for which a nil
// arena stands. Whatever it cannot follow, it leaves alone as a whole.
package placement

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/repeated"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Place is a line of a file, and the column of an allocation in it; 0 is unknown.
type Place struct {
	File         string // absolute
	Line, Column int
}

// Name is the name of the analyzer.
const Name = "arena"

// Analyzer returns an analyzer that proposes the change for a root, a line of the
// function with which the objects die, and the places that make the objects, the most costly
// first, which the change may be restricted to. Where there is no change it reports the
// reason, and calls refused with it.
func Analyzer(root Place, sites []Place, refused func(why string)) *analysis.Analyzer {
	run := func(pass *analysis.Pass) (any, error) {
		w, why := write(pass, root, sites)
		if why != "" && len(sites) > 1 {
			if only, refused := write(pass, root, sites[:1]); refused == "" {
				w, why = only, ""
			}
		}
		d := analysis.Diagnostic{Message: "use an arena"}
		if why != "" {
			d.Message = why
			refused(why)
		} else {
			d.SuggestedFixes = []analysis.SuggestedFix{{Message: d.Message, TextEdits: w.edits}}
		}
		if d.Pos = w.root.body(); d.Pos.IsValid() {
			pass.Report(d)
		}
		return nil, nil
	}
	return &analysis.Analyzer{
		Name: Name, Doc: "put objects into an arena",
		Requires: []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer}, Run: run,
	}
}

// writer collects the edits of one change.
type writer struct {
	pass      *analysis.Pass
	info      *types.Info
	source    *rewrite.Source
	inspector inspector.Cursor

	root     function
	sites    []site
	enters   map[*types.Func]bool // functions that get the arena
	wrapped  map[*types.Func]bool // those whose signature has to stay: a twin gets the arena
	name     string               // the variable that holds the arena
	helper   string               // the function that copies a value to the arena; "" until it is needed
	imported map[*ast.File]bool
	edits    []analysis.TextEdit
}

// function is a declaration with a body.
type function struct {
	inspector.Cursor
	decl   *ast.FuncDecl
	object *types.Func
}

// body returns where the body begins; it is invalid if there is none.
func (f function) body() token.Pos {
	if f.decl == nil {
		return token.NoPos
	}
	return f.decl.Body.Lbrace
}

// site is an expression that makes an object.
type site struct {
	inspector.Cursor
	in    function
	arena string // the expression for the arena there
}

// write returns a writer with the edits of a change, or says why there are none.
func write(pass *analysis.Pass, root Place, sites []Place) (w *writer, why string) {
	w = &writer{
		pass: pass, info: pass.TypesInfo, source: rewrite.Of(pass), enters: map[*types.Func]bool{},
		wrapped: map[*types.Func]bool{}, imported: map[*ast.File]bool{},
	}
	w.inspector = rewrite.Files(pass)
	return w, w.write(root, sites)
}

func (w *writer) write(root Place, sites []Place) (why string) {
	var ok bool
	if w.root, ok = w.functionAt(root); !ok {
		return "the function of the arena is not a declaration in this package"
	}
	for _, p := range sites {
		s, why := w.siteAt(p)
		if why != "" {
			return why
		}
		w.sites = append(w.sites, s)
	}
	if done, why := w.own(); done {
		return why
	}
	calls, why := w.thread()
	if why != "" {
		return why
	}
	if w.name, ok = w.freeName(calls); !ok {
		return "no name for the arena is free"
	}
	if why := w.begin(); why != "" {
		return why
	}
	for _, s := range w.sites {
		s.arena = w.name
		if why := w.place(s); why != "" {
			return why
		}
	}
	return w.passOn(calls)
}

// functionAt returns the innermost function around a line, if that is a declaration.
func (w *writer) functionAt(p Place) (function, bool) {
	for c := range w.inspector.Preorder((*ast.FuncDecl)(nil)) {
		decl := c.Node().(*ast.FuncDecl)
		first, last := w.pass.Fset.Position(decl.Pos()), w.pass.Fset.Position(decl.End())
		if first.Filename != p.File || p.Line < first.Line || last.Line < p.Line || decl.Body == nil {
			continue
		}
		for lit := range c.Preorder((*ast.FuncLit)(nil)) {
			from, to := w.pass.Fset.Position(lit.Node().Pos()), w.pass.Fset.Position(lit.Node().End())
			if from.Line <= p.Line && p.Line <= to.Line {
				return function{}, false
			}
		}
		return w.functionOf(c), true
	}
	return function{}, false
}

// functionOf returns the function whose declaration is at c.
func (w *writer) functionOf(c inspector.Cursor) function {
	decl := c.Node().(*ast.FuncDecl)
	object, _ := w.info.Defs[decl.Name].(*types.Func)
	return function{c, decl, object}
}

// siteAt returns the only expression of a line, or of its column, that an arena can make.
func (w *writer) siteAt(p Place) (found site, why string) {
	why = fmt.Sprintf("no new or composite literal is at line %d", p.Line)
	for c := range w.inspector.Preorder((*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)) {
		e := c.Node().(ast.Expr)
		at := w.pass.Fset.Position(repeated.Position(e))
		if at.Filename != p.File || at.Line != p.Line || !w.makes(e) {
			continue
		}
		if p.Column > 0 && at.Column != p.Column && w.pass.Fset.Position(e.Pos()).Column != p.Column {
			continue
		}
		if found.Valid() {
			return found, fmt.Sprintf("line %d makes more than one object", p.Line)
		}
		fn := rewrite.Function(c)
		if _, ok := fn.Node().(*ast.FuncDecl); !ok {
			return found, "a function literal makes the objects"
		}
		found, why = site{Cursor: c, in: w.functionOf(fn)}, ""
	}
	return found, why
}

// makes reports whether an expression is new(T), &T{…} or make([]T, …).
func (w *writer) makes(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND && lit.Type != nil
	case *ast.CallExpr:
		if rewrite.IsBuiltin(w.info, e, "new") {
			return w.info.Types[e.Args[0]].IsType()
		}
		if !rewrite.IsBuiltin(w.info, e, "make") {
			return false
		}
		slice, ok := e.Args[0].(*ast.ArrayType)
		return ok && slice.Len == nil
	}
	return false
}
