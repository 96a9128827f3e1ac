package source

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// syntax holds the functions and allocations of a package's files, by this machine's
// names of them.
type syntax struct {
	functions   map[string][]Function
	allocations []Allocation
}

// load parses and type-checks a package. Files that do not parse or check are left
// out, and the first problem returned: the rest is still worth having. Of tests
// only the declarations are read, except in the wanted files: they may be several
// times as much code as the program.
func load(p listEntry, exports map[string]string, wanted func(file string) bool) (syntax, string) {
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
		// Nobody asks about the bodies of other test files, and checking them takes time.
		if f != nil && strings.HasSuffix(name, "_test.go") && !wanted(name) {
			dropBodies(f)
		}
		if f != nil {
			files = append(files, f)
		}
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{
		Importer:    importerOf(fset, func(path string) string { return exports[path] }, p.ImportMap),
		Error:       func(error) {}, // continue with the rest
		FakeImportC: true,
	}
	path, _, _ := strings.Cut(p.ImportPath, " [") // compiled for a test: "x [x.test]"
	pkg, _ := conf.Check(path, fset, files, info)

	w := &walker{
		fset:    fset,
		info:    info,
		pkg:     pkg,
		shrinks: map[types.Object]token.Pos{},
		popped:  map[types.Object]token.Pos{},
		emptied: map[types.Object]token.Pos{},
		zeroed:  map[types.Object]token.Pos{},
		slots:   map[types.Object]token.Pos{},
		aliases: map[types.Object]ast.Expr{},
		read:    map[types.Object]bool{},
		counts:  counts{},
		files:   files,
	}
	// The second pass over arguments is for a function that calls one that shrinks.
	for _, pass := range []func(*ast.File){w.findReads, w.findCounts, w.findGuards, w.findAliases, w.findShrinking, w.shrinkArguments, w.shrinkArguments} {
		for _, f := range files {
			pass(f)
		}
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

// dropBodies takes the bodies of all functions out.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

// firstProblem returns the first line of a compiler's output that names a place.
func firstProblem(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the go command gave no reason"
}
