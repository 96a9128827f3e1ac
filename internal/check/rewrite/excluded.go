package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/input"
)

// maxExcluded is far above the size in bytes of any file that the compiler takes in
// useful time.
const maxExcluded = 64 << 20

// Excluded reports whether a file of the package that this build excludes, by its name
// or its tags, declares name at package level. A fix that gives the name another meaning
// in this file would break other builds.
func (f *File) Excluded(name string) bool { return f.excluded[name] }

// excluded returns the names that files outside of this build declare at package level.
// It reports false if one of these files cannot be read.
func excluded(pass *analysis.Pass) (names map[string]bool, known bool) {
	names = map[string]bool{}
	for _, name := range pass.IgnoredFiles {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		text, err := input.ReadRegular(name, maxExcluded)
		if err != nil {
			return nil, false
		}
		// A file that does not parse has no build to break, and the parser returns the rest.
		file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if file == nil || file.Name.Name != pass.Pkg.Name() {
			continue // such as a program that "go run" starts
		}
		for _, decl := range file.Decls {
			for _, id := range declares(decl) {
				names[id.Name] = true
			}
		}
	}
	return names, true
}

// declares returns the names that a declaration adds to the package.
func declares(decl ast.Decl) (names []*ast.Ident) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			names = append(names, decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			}
		}
	}
	return names
}
