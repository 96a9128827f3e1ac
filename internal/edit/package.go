package edit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heapwright/heapwright/internal/source"
)

// Package is a package that type-checks, and its source.
type Package struct {
	index  *source.Index
	root   string
	path   string
	fset   *token.FileSet
	texts  map[string][]byte // each file's
	files  []*ast.File
	info   *types.Info
	types  *types.Package
	config types.Config
	others []string // files that the build leaves out
}

// Open reads the package of a file, as the index has built it. Files of tests and
// packages with cgo are not known.
func Open(x *source.Index, file string) (*Package, error) {
	for _, built := range x.Packages() {
		if !slices.Contains(built.Files, file) || built.Cgo {
			continue
		}
		p := &Package{
			index: x, root: x.Root(), path: built.Path, fset: token.NewFileSet(), texts: map[string][]byte{}, others: built.Ignored,
		}
		imports := withArena{x.Importer(p.fset, built.ImportMap), p.fset}
		p.config = types.Config{Importer: imports, GoVersion: x.Language(file)}
		for _, name := range built.Files {
			text, err := source.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("edit: %w", err)
			}
			p.texts[name] = text
		}
		p.info = &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
		}
		var err error
		p.files, p.types, err = p.check(p.texts, p.info)
		return p, err
	}
	return nil, fmt.Errorf("edit: %s is in no package that was built", file)
}

func (p *Package) check(texts map[string][]byte, info *types.Info) ([]*ast.File, *types.Package, error) {
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(p.fset, name, texts[name], parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, nil, fmt.Errorf("edit: %w", err)
		}
		files = append(files, f)
	}
	pkg, err := p.config.Check(p.path, p.fset, files, info)
	if err != nil {
		return nil, nil, fmt.Errorf("edit: %w", err)
	}
	return files, pkg, nil
}

// Fix is a change that a check proposes.
type Fix struct {
	Check   string
	Message string // the report
	// Lines are the lines of the report, followed by the lines of related places: an object
	// need not be allocated where it is made.
	Lines []Lines
	Edits []Edit
}

// Lines are consecutive lines of a file.
type Lines struct {
	File        string
	First, Last int
}

// Has reports whether a line is among them.
func (l Lines) Has(file string, line int) bool {
	return l.File == file && l.First <= line && line <= l.Last
}

// At reports whether the report names a line.
func (f *Fix) At(file string, line int) bool {
	return slices.ContainsFunc(f.Lines, func(l Lines) bool { return l.Has(file, line) })
}

// Fixes returns the changes that checks propose for the package. The checks know nothing
// of other packages but their types. One that panics proposes nothing.
func (p *Package) Fixes(checks []*analysis.Analyzer) []Fix {
	pkg := &packages.Package{
		ID: p.path, Name: p.types.Name(), PkgPath: p.path, Fset: p.fset, Syntax: p.files,
		Types: p.types, TypesInfo: p.info, TypesSizes: types.SizesFor("gc", "amd64"),
		IgnoredFiles: p.others, CompiledGoFiles: slices.Sorted(maps.Keys(p.texts)),
	}
	var all []Fix
	for _, c := range checks {
		all = append(all, p.fixes(c, pkg)...)
	}
	return all
}

func (p *Package) fixes(check *analysis.Analyzer, pkg *packages.Package) (all []Fix) {
	defer func() {
		if recover() != nil {
			all = nil
		}
	}()
	options := &checker.Options{Sequential: true} // so that a panic is this goroutine's
	graph, err := checker.Analyze([]*analysis.Analyzer{check}, []*packages.Package{pkg}, options)
	if err != nil {
		return nil
	}
	for _, report := range graph.Roots[0].Diagnostics {
		if len(report.SuggestedFixes) == 0 {
			continue
		}
		f := Fix{Check: check.Name, Message: report.Message, Lines: []Lines{p.lines(report.Pos, report.End)}}
		for _, rel := range report.Related {
			f.Lines = append(f.Lines, p.lines(rel.Pos, rel.End))
		}
		for _, e := range report.SuggestedFixes[0].TextEdits {
			from := p.fset.Position(e.Pos)
			to := from.Offset
			if e.End.IsValid() {
				to = p.fset.Position(e.End).Offset
			}
			f.Edits = append(f.Edits, Edit{File: from.Filename, Start: from.Offset, End: to, New: string(e.NewText)})
		}
		all = append(all, f)
	}
	return all
}

func (p *Package) lines(pos, end token.Pos) Lines {
	begin := p.fset.Position(pos)
	l := Lines{File: begin.Filename, First: begin.Line, Last: begin.Line}
	if end.IsValid() {
		l.Last = p.fset.Position(end).Line
	}
	return l
}

// Name returns the package's name.
func (p *Package) Name() string { return p.types.Name() }

// Patch returns the edits as a unified diff below the module's folder, and an error
// where the package does not type-check with them.
func (p *Package) Patch(edits []Edit) (string, error) { return p.PatchWith(edits, "", "") }

// PatchWith also adds a file, with that name and text.
func (p *Package) PatchWith(edits []Edit, added, text string) (string, error) {
	of := map[string][]Edit{}
	for _, e := range edits {
		of[e.File] = append(of[e.File], e)
	}
	texts, out := maps.Clone(p.texts), ""
	for _, file := range slices.Sorted(maps.Keys(of)) {
		before := p.texts[file]
		merged, ok := Merge(nil, of[file], len(before))
		if !ok {
			return "", fmt.Errorf("edit: changes of %s overlap", file)
		}
		after, err := Apply(before, merged)
		if err != nil {
			return "", fmt.Errorf("edit: %w", err)
		}
		texts[file] = after
		out += string(Diff(p.below(file), before, after))
	}
	if added != "" {
		if _, exists := texts[added]; exists {
			return "", fmt.Errorf("edit: %s is there already", added)
		}
		texts[added] = []byte(text)
		out += newFile(p.below(added), text)
	}
	_, _, err := p.check(texts, nil)
	return out, err
}

// below returns a file's name relative to the module's folder, with slashes.
func (p *Package) below(file string) string {
	name, err := filepath.Rel(p.root, file)
	if err != nil {
		name = filepath.Base(file)
	}
	return filepath.ToSlash(name)
}

// newFile returns the diff that makes a file.
func newFile(name, text string) string {
	a, b := QuoteName("a/"+name), QuoteName("b/"+name)
	var out strings.Builder
	fmt.Fprintf(&out, "diff --git %s %s\nnew file mode 100644\n--- /dev/null\n+++ %s\n@@ -0,0 +1,%d @@\n",
		a, b, b, strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		out.WriteString("+" + line)
	}
	return out.String()
}
