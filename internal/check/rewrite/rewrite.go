// Package rewrite proves the preconditions that suggested fixes share: the file may
// be edited, names still denote the same objects in the new text, an expression can
// be evaluated once more, no comment is lost.
package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/owner"
)

// Sometimes is the category of reports on allocations that may seldom or never be made.
// Only a profile knows whether they matter.
const Sometimes = "sometimes"

// File is a file of a pass that suggested fixes may edit.
type File struct {
	pass     *analysis.Pass
	tree     *ast.File
	src      []byte
	excluded map[string]bool // names that other builds of the package declare
}

// File returns the file that holds c, or nil if no fix may edit it. That is so
// for generated files, files that import "C" (the analyzed text differs from the
// file on disk), files with line directives (edits would name another file), and
// files of a package if a file that this build excludes cannot be read.
func (s *Source) File(c inspector.Cursor) *File { return s.files[Syntax(c)]() }

func newFile(pass *analysis.Pass, tree *ast.File, excluded func() (map[string]bool, bool)) *File {
	if ast.IsGenerated(tree) {
		return nil
	}
	for _, spec := range tree.Imports {
		if spec.Path.Value == `"C"` {
			return nil
		}
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return nil
			}
		}
	}
	tok := pass.Fset.File(tree.FileStart)
	src, err := pass.ReadFile(tok.Name())
	if err != nil || len(src) != tok.Size() {
		return nil
	}
	names, known := excluded()
	if !known {
		return nil
	}
	return &File{pass, tree, src, names}
}

// Syntax returns the file that holds c.
func Syntax(c inspector.Cursor) *ast.File {
	for file := range c.Enclosing((*ast.File)(nil)) {
		return file.Node().(*ast.File)
	}
	return nil
}

// Text returns the source text of a node.
func (f *File) Text(n ast.Node) string { return f.text(n.Pos(), n.End()) }

// Between returns the source text from pos to end.
func (f *File) Between(pos, end token.Pos) string { return f.text(pos, end) }

func (f *File) text(pos, end token.Pos) string {
	tok := f.pass.Fset.File(f.tree.FileStart)
	return string(f.src[tok.Offset(pos):tok.Offset(end)])
}

// Above returns where a statement can be inserted before the one at pos, and its
// indentation: at the start of its line, or above the comment that ends on the line
// before. It reports false if another statement stands on that line.
func (f *File) Above(pos token.Pos) (at token.Pos, indent string, ok bool) {
	at, ok = f.line(pos)
	indent = f.text(at, pos)
	if i := f.commentTo(at); i > 0 {
		if group := f.tree.Comments[i-1]; strings.TrimPrefix(f.text(group.End(), at), "\r") == "\n" {
			if above, alone := f.line(group.Pos()); alone {
				return above, indent, ok
			}
		}
	}
	return at, indent, ok
}

// commentTo returns the index of the first comment that ends at pos or later.
func (f *File) commentTo(pos token.Pos) int {
	i, _ := slices.BinarySearchFunc(f.tree.Comments, pos, func(group *ast.CommentGroup, pos token.Pos) int { return int(group.End() - pos) })
	return i
}

// line returns the start of the line that holds pos, and whether only blanks
// stand between the two.
func (f *File) line(pos token.Pos) (start token.Pos, first bool) {
	tok := f.pass.Fset.File(f.tree.FileStart)
	start = tok.LineStart(tok.PositionFor(pos, false).Line)
	return start, strings.TrimSpace(f.text(start, pos)) == ""
}

// Line returns the start of the line that holds pos.
func (f *File) Line(pos token.Pos) token.Pos {
	start, _ := f.line(pos)
	return start
}

// Rest returns the end of the line on which a node ends. It reports whether only blanks and
// a comment stand between the two.
func (f *File) Rest(n ast.Node) (end token.Pos, last bool) {
	tok := f.pass.Fset.File(f.tree.FileStart)
	rest, _, _ := strings.Cut(string(f.src[tok.Offset(n.End()):]), "\n")
	text := strings.TrimSpace(rest)
	return n.End() + token.Pos(len(rest)), text == "" || strings.HasPrefix(text, "//")
}

// AtLeast reports whether the file's language version is v or later, v written
// as "go1.21".
func (f *File) AtLeast(v string) bool { return AtLeast(f.pass, f.tree, v) }

// AtLeast reports the same of any file of a pass.
func AtLeast(pass *analysis.Pass, file *ast.File, v string) bool {
	is := pass.TypesInfo.FileVersions[file]
	if is == "" {
		is = pass.Pkg.GoVersion()
	}
	return is == "" || version.Compare(is, v) >= 0
}

// Universe reports whether name denotes the predeclared object at pos, in other builds
// of the package, too.
func (f *File) Universe(name string, pos token.Pos) bool {
	return f.lookup(name, pos) == types.Universe.Lookup(name) && !f.Excluded(name)
}

// Free reports whether no object is called name at pos.
func (f *File) Free(name string, pos token.Pos) bool { return f.lookup(name, pos) == nil }

func (f *File) lookup(name string, pos token.Pos) types.Object {
	_, obj := f.scope(pos).LookupParent(name, pos)
	return obj
}

func (f *File) scope(pos token.Pos) *types.Scope {
	top := f.pass.TypesInfo.Scopes[f.tree]
	// Innermost looks at all functions of a file.
	i, _ := slices.BinarySearchFunc(f.tree.Decls, pos, func(d ast.Decl, pos token.Pos) int { return int(d.End() - 1 - pos) })
	if i < len(f.tree.Decls) {
		if fn, ok := f.tree.Decls[i].(*ast.FuncDecl); ok {
			if s := f.pass.TypesInfo.Scopes[fn.Type].Innermost(pos); s != nil {
				return s
			}
			return top
		}
	}
	if s := top.Innermost(pos); s != nil {
		return s
	}
	return top
}

// Means reports whether every name of expr denotes at pos the object that it
// denotes in expr, so that the text of expr can stand there.
func (f *File) Means(expr ast.Expr, pos token.Pos) bool {
	same := true
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			same = same && f.Means(n.X, pos)
			return false
		case *ast.Ident:
			obj := f.pass.TypesInfo.Uses[n]
			if v, ok := obj.(*types.Var); ok && v.IsField() {
				return false // the key of a struct literal
			}
			same = same && obj != nil && f.lookup(n.Name, pos) == obj
		}
		return same
	})
	return same
}

// Import returns the qualifier, such as "strconv.", by which the text at pos can
// refer to a package whose name ends its path, and the edit that imports it if
// the file does not. It reports false where the name is taken.
func (f *File) Import(pkg string, pos token.Pos) (qualifier string, edits []analysis.TextEdit, ok bool) {
	for _, spec := range f.tree.Imports {
		name := f.pass.TypesInfo.PkgNameOf(spec)
		if name == nil || name.Imported().Path() != pkg || name.Name() == "." || name.Name() == "_" {
			continue
		}
		if f.lookup(name.Name(), pos) == name {
			return name.Name() + ".", nil, true
		}
		return "", nil, false
	}
	name := path.Base(pkg)
	// In the standard library, another import can close a cycle.
	if !f.Free(name, pos) || owner.IsStandard(f.pass) || f.Excluded(name) {
		return "", nil, false
	}
	return name + ".", []analysis.TextEdit{f.importEdit(pkg)}, true
}

func (f *File) importEdit(pkg string) analysis.TextEdit {
	quoted := strconv.Quote(pkg)
	for i, decl := range f.tree.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT || len(gen.Specs) == 0 {
			continue
		}
		if gen.Lparen.IsValid() {
			if last := gen.Specs[len(gen.Specs)-1].(*ast.ImportSpec); foreign(pkg) {
				separator := "\n\t"
				if known, _ := strconv.Unquote(last.Path.Value); !foreign(known) {
					separator = "\n\n\t" // another group
				}
				return Insert(end(last, last.Comment), separator+quoted)
			}
			spec := gen.Specs[0].(*ast.ImportSpec)
			return Insert(start(spec, spec.Doc), quoted+"\n\t")
		}
		if i == len(f.tree.Imports)-1 { // none of them has parentheses
			return Insert(start(gen, gen.Doc), "import "+quoted+"\n")
		}
	}
	at := f.tree.Name.End()
	for _, group := range f.tree.Comments {
		if group.Pos() <= at {
			continue
		}
		if _, first := f.line(group.Pos()); first || strings.TrimSpace(f.text(at, group.Pos())) != "" {
			break
		}
		at = group.End() // the comment of the package clause
	}
	return Insert(at, "\n\nimport "+quoted)
}

// start returns where a node with its comment begins.
func start(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

// end returns where a node with the comment behind it ends.
func end(n ast.Node, comment *ast.CommentGroup) token.Pos {
	if comment != nil {
		return comment.End()
	}
	return n.End()
}

// foreign reports whether a package is of no standard library: the first part of its path
// has a dot.
func foreign(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return strings.Contains(first, ".")
}

// Fix returns a suggested fix with the given edits, or none if one of them
// would delete a comment.
func (f *File) Fix(message string, edits ...analysis.TextEdit) []analysis.SuggestedFix {
	for _, edit := range edits {
		if i := f.commentTo(edit.Pos + 1); i < len(f.tree.Comments) && f.tree.Comments[i].Pos() < edit.End {
			return nil
		}
	}
	return []analysis.SuggestedFix{{Message: message, TextEdits: edits}}
}

// Replace returns the edit that puts text in place of a node.
func Replace(n ast.Node, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}
}

// Insert returns the edit that inserts text at pos.
func Insert(pos token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
}
