package source

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
)

// syntax is what the files of a package say, by this machine's names of them.
type syntax struct {
	functions   map[string][]Function
	allocations []Allocation
}

// load parses and type-checks a package. What does not parse or check is left
// out, and the first problem returned: the rest is still worth having.
func load(p listed, exports map[string]string) (syntax, string) {
	problem := ""
	if wrong := append(p.DepsErrors, p.Error); wrong[0] != nil {
		problem = "it does not build: " + firstProblem(wrong[0].Err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.files() {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			problem = cmp.Or(problem, "it does not build: "+err.Error())
		}
		if f != nil {
			files = append(files, f)
		}
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	lookup := func(path string) (io.ReadCloser, error) {
		path = cmp.Or(p.ImportMap[path], path)
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	}
	conf := types.Config{
		Importer:    importer.ForCompiler(fset, "gc", lookup),
		Error:       func(error) {}, // go on with the rest
		FakeImportC: true,
	}
	path, _, _ := strings.Cut(p.ImportPath, " [") // compiled for a test: "x [x.test]"
	pkg, _ := conf.Check(path, fset, files, info)

	w := &walker{fset: fset, info: info, pkg: pkg, shrinks: map[types.Object]bool{}}
	for _, f := range files {
		w.findShrinking(f)
	}
	out := syntax{functions: map[string][]Function{}}
	for _, f := range files {
		name := fset.Position(f.FileStart).Filename
		out.functions[name] = w.functions(f)
		w.walk(f)
	}
	out.allocations = w.found
	return out, problem
}

// firstProblem returns the first line of what a compiler said that names a place.
func firstProblem(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the go command gave no reason"
}
