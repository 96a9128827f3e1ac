package fix

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/patch"
)

// scope holds the declarations of a package by name, and the packages that each mentions. It
// knows no types. So a name stands for every function, method, type and variable that has it,
// and whatever may be reached counts.
type scope struct {
	mentions map[string][]string // other names of the package
	imports  map[string][]string
	foreign  map[string][]string // names that are of no package that is known, unless the package has them
	odd      bool                // a file cannot be read, uses cgo, or imports names without their package
}

// readScope reads the files of a folder, also the files of other builds.
func readScope(dir string) *scope {
	s := &scope{mentions: map[string][]string{}, imports: map[string][]string{}, foreign: map[string][]string{}}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is valid, unless the folder's name is odd
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := patch.Read(file)
		if err != nil {
			s.odd = true
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		if err != nil {
			s.odd = true
			continue
		}
		imports, open := importsOf(f), map[*ast.Ident]bool{}
		for _, id := range f.Unresolved {
			open[id] = true
		}
		s.odd = s.odd || imports["."] != "" || imports["C"] != ""
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.add(d.Name.Name, d, imports, open)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						s.add(spec.Name.Name, spec, imports, open)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							s.add(name.Name, spec, imports, open)
						}
					}
				}
			}
		}
	}
	return s
}

func (s *scope) add(name string, n ast.Node, imports map[string]string, open map[*ast.Ident]bool) {
	s.mentions[name] = append(s.mentions[name], "")
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			s.mentions[name] = append(s.mentions[name], n.Name)
			switch path := imports[n.Name]; {
			case path != "":
				s.imports[name] = append(s.imports[name], path)
			case open[n] && types.Universe.Lookup(n.Name) == nil:
				s.foreign[name] = append(s.foreign[name], n.Name)
			}
		case *ast.KeyValueExpr: // the parser does not know the names of fields
			if id, ok := n.Key.(*ast.Ident); ok {
				delete(open, id)
			}
		case *ast.GoStmt:
			s.imports[name] = append(s.imports[name], "a goroutine")
		}
		return true
	})
}

// harmless reports whether nothing can be reached from a name but the package and packages
// that only compute.
func (s *scope) harmless(name string) bool {
	seen, open := map[string]bool{}, []string{name}
	for len(open) > 0 {
		name := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[name] {
			continue
		}
		seen[name] = true
		for _, path := range s.imports[name] {
			if !harmless[path] {
				return false
			}
		}
		for _, other := range s.foreign[name] {
			if s.mentions[other] == nil {
				return false
			}
		}
		open = append(open, s.mentions[name]...)
	}
	return !s.odd
}

// importsOf returns the imported packages of a file by the names that they have in it.
func importsOf(f *ast.File) map[string]string {
	all := map[string]string{}
	for _, i := range f.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		alias := path.Base(name)
		if i.Name != nil {
			alias = i.Name.Name
		}
		all[alias] = name
	}
	return all
}

// uses reports whether a node has an identifier.
func uses(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
