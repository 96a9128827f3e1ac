// Package edit changes source in memory, says whether the result compiles, and
// rewrites files.
//
// The stance: code is shown for a line only if the package type-checks with it.
// Whatever cannot be proven right, a size for example, is left unchanged. No file
// outside the modules that the user works on is written.
package edit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/heapwright/heapwright/internal/source"
)

// Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File       string // absolute
	Start, End int
	Text       string
}

// Package is a package that type-checks, and its source.
type Package struct {
	root  string
	path  string
	fset  *token.FileSet
	texts map[string][]byte // by file
	files map[string]*ast.File
	info  *types.Info
	types *types.Package
	from  types.Importer
}

// Open reads the package of a file, as the index has built it. Files of tests and
// packages with cgo are not known.
func Open(x *source.Index, file string) (*Package, error) {
	for _, built := range x.Packages() {
		if !slices.Contains(built.Files, file) || built.Cgo {
			continue
		}
		p := &Package{root: x.Root(), path: built.Path, fset: token.NewFileSet(), texts: map[string][]byte{}}
		p.from = x.Importer(p.fset, built.ImportMap)
		for _, name := range built.Files {
			text, err := source.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("edit: %w", err)
			}
			p.texts[name] = text
		}
		var err error
		p.info = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
		p.files, p.types, err = p.check(p.texts, p.info)
		return p, err
	}
	return nil, fmt.Errorf("edit: %s is in no package that was built", file)
}

func (p *Package) check(texts map[string][]byte, info *types.Info) (map[string]*ast.File, *types.Package, error) {
	files := map[string]*ast.File{}
	var all []*ast.File
	for name, text := range texts {
		f, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, nil, fmt.Errorf("edit: %w", err)
		}
		files[name] = f
		all = append(all, f)
	}
	conf := types.Config{Importer: p.from}
	pkg, err := conf.Check(p.path, p.fset, all, info)
	if err != nil {
		return nil, nil, fmt.Errorf("edit: %w", err)
	}
	return files, pkg, nil
}

// Check returns nil if the package type-checks with the edits.
func (p *Package) Check(edits []Edit) error {
	texts := map[string][]byte{}
	for name, text := range p.texts {
		texts[name] = apply(name, text, edits)
	}
	_, _, err := p.check(texts, nil)
	return err
}

// Render returns the edits as a unified diff below the module's folder.
func (p *Package) Render(edits []Edit) string {
	out := ""
	for _, e := range edits {
		name, err := filepath.Rel(p.root, e.File)
		if err != nil {
			name = filepath.Base(e.File)
		}
		name = filepath.ToSlash(name)
		out += string(diff.Diff(QuoteName("a/"+name), p.texts[e.File], QuoteName("b/"+name), apply(e.File, p.texts[e.File], []Edit{e})))
	}
	return out
}

func apply(name string, text []byte, edits []Edit) []byte {
	for _, e := range edits {
		if e.File == name {
			text = slices.Concat(text[:e.Start], []byte(e.Text), text[e.End:])
		}
	}
	return text
}
