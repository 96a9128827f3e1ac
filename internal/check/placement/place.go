package placement

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
	"github.com/heapwright/heapwright/internal/inject"
)

// arenaNames are the names that a variable or a field with an arena may get.
var arenaNames = []string{"mem", "region", "memory", "objects"}

// freeName returns a name for the arena that no changed function mentions.
func (w *writer) freeName(calls []call) (string, bool) {
	used := map[string]bool{}
	note := func(f function) {
		for c := range f.Preorder((*ast.Ident)(nil)) {
			used[c.Node().(*ast.Ident).Name] = true
		}
	}
	note(w.root)
	for _, s := range w.sites {
		note(s.in)
	}
	for _, c := range calls {
		if c.in.decl != nil {
			note(c.in)
		}
	}
	for _, name := range arenaNames {
		if !used[name] && w.pass.Pkg.Scope().Lookup(name) == nil {
			return name, true
		}
	}
	return "", false
}

// file returns the file around c, which imports package arena.
func (w *writer) file(c inspector.Cursor) (f *rewrite.File, qualifier, why string) {
	tree := rewrite.Syntax(c)
	f = w.source.File(c)
	if f == nil {
		return nil, "", "a file may not be edited: it is generated, or has cgo or line directives"
	}
	if !f.AtLeast(inject.ArenaLanguage) {
		return nil, "", "package arena needs a module of " + inject.ArenaLanguage
	}
	qualifier, edits, ok := f.Import(inject.ArenaModule, c.Node().Pos())
	if !ok {
		return nil, "", "the name arena is taken"
	}
	if !w.imported[tree] {
		w.imported[tree] = true
		w.edits = append(w.edits, edits...)
	}
	return f, qualifier, ""
}

// begin begins the arena in the root and ends it where the root returns.
func (w *writer) begin() (why string) {
	_, qualifier, why := w.file(w.root.Cursor)
	if why != "" {
		return why
	}
	place, ok := rewrite.NewHoister(w.pass).AboveDecl(w.root.Cursor)
	if !ok {
		return "a file may not be edited"
	}
	pool, declared := place.DeclareZero("Arenas", qualifier+"Pool", w.root.decl)
	body := w.root.decl.Body
	text := fmt.Sprintf("\n\t%s := %s.Get()\n\tdefer %[1]s.Free()", w.name, pool)
	line := func(p token.Pos) int { return w.pass.Fset.Position(p).Line }
	if len(body.List) > 0 && line(body.List[0].Pos()) == line(body.Lbrace) {
		text += "\n"
	}
	w.edits = append(w.edits, rewrite.Insert(body.Lbrace+1, text), declared)
	return ""
}

// place lets an expression make its object in the arena.
func (w *writer) place(s site) (why string) {
	f, qualifier, why := w.file(s.Cursor)
	if why != "" {
		return why
	}
	until := func(n ast.Node, text string) analysis.TextEdit {
		return analysis.TextEdit{Pos: s.Node().Pos(), End: n.Pos(), NewText: []byte(text)}
	}
	switch e := s.Node().(type) {
	case *ast.UnaryExpr:
		lit := e.X.(*ast.CompositeLit)
		if len(lit.Elts) == 0 {
			w.edits = append(w.edits, rewrite.Replace(e, qualifier+"New["+f.Text(lit.Type)+"]("+s.arena+")"))
			return ""
		}
		if why := w.declareHelper(); why != "" {
			return why
		}
		if !f.Free(w.helper, e.Pos()) {
			return "the name " + w.helper + " is taken"
		}
		w.edits = append(w.edits, until(lit, w.helper+"("+s.arena+", "), rewrite.Insert(e.End(), ")"))
	case *ast.CallExpr:
		if rewrite.IsBuiltin(w.info, e, "new") {
			w.edits = append(w.edits, rewrite.Replace(e, qualifier+"New["+f.Text(e.Args[0])+"]("+s.arena+")"))
			return ""
		}
		elem := e.Args[0].(*ast.ArrayType).Elt
		length := ""
		if len(e.Args) == 2 {
			if !rewrite.Pure(w.info, e.Args[1]) {
				return "the length of a slice is the result of a call"
			}
			length = ", " + f.Text(e.Args[1]) // the capacity
		}
		w.edits = append(w.edits,
			until(e.Args[1], qualifier+"MakeSlice["+f.Text(elem)+"]("+s.arena+", "),
			rewrite.Insert(e.Args[len(e.Args)-1].End(), length))
	}
	return ""
}

// declareHelper declares the function that copies a value to the arena, once.
func (w *writer) declareHelper() (why string) {
	if w.helper != "" {
		return ""
	}
	_, qualifier, why := w.file(w.root.Cursor)
	if why != "" {
		return why
	}
	f := w.source.File(w.root.Cursor)
	for _, name := range []string{"newIn", "newInArena"} {
		if w.pass.Pkg.Scope().Lookup(name) == nil && f.Free(name, w.root.decl.Pos()) && !f.Excluded(name) {
			w.helper = name
			break
		}
	}
	if w.helper == "" {
		return "the name newIn is taken"
	}
	text := fmt.Sprintf(`

// %s returns a copy of v in %s, which is the plain heap if it is nil.
func %[1]s[T any](%[2]s *%[3]sArena, v T) *T {
	p := %[3]sNew[T](%[2]s)
	*p = v
	return p
}`, w.helper, w.name, qualifier)
	w.edits = append(w.edits, rewrite.Insert(w.root.decl.End(), text))
	return ""
}
