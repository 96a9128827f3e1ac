package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

const (
	// maxFar is the largest number of calls within a library between a go statement and the
	// function that a program calls.
	maxFar = 6
	// maxLibraryFiles bounds the files of a library's package that are parsed.
	maxLibraryFiles = 500
)

// Folder returns the folder on this machine with the source of a frame's package, or "" if it
// is not there.
func (p *Program) Folder(symbol, file string) string {
	if dir := filepath.Dir(filepath.FromSlash(file)); filepath.IsAbs(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	if local := p.index.Local(symbol, file); local != "" {
		return filepath.Dir(local)
	}
	return ""
}

// literals matches what the compiler appends to a function's name for function literals and
// wrappers in it.
var literals = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+|\.deferwrap\d+)+$`)

// Starters returns the exported functions and methods of a library's package, without
// their receivers, that start a goroutine in the function of a symbol. They are
// ordered by the number of calls between them and the go statement. The package is read
// by its syntax alone, so methods of one name count as one.
func Starters(folder, symbol string) [][]string {
	decls := declarations(folder)
	name := source.NameInPackage(symbol)
	plain := literals.ReplaceAllString(name, "")
	base := plain[strings.LastIndexByte(plain, '.')+1:]
	if base == "" {
		return nil
	}
	var level []string
	if plain != name { // a literal or a wrapper: its function starts it
		level = []string{base}
	} else {
		level = mentioning(decls, []string{base}, true)
	}
	var all [][]string
	seen := map[string]bool{}
	for range maxFar {
		var exported, next []string
		for _, n := range level {
			if seen[n] {
				continue
			}
			seen[n] = true
			next = append(next, n)
			if ast.IsExported(n) {
				exported = append(exported, n)
			}
		}
		if len(next) == 0 {
			break
		}
		if len(exported) > 0 {
			slices.Sort(exported)
			all = append(all, exported)
		}
		level = mentioning(decls, next, false)
	}
	return all
}

// declarations parses the functions of a package's folder.
func declarations(folder string) []*ast.FuncDecl {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil
	}
	var all []*ast.FuncDecl
	fset := token.NewFileSet()
	for _, name := range files[:min(len(files), maxLibraryFiles)] {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := source.ReadFile(name)
		if err != nil {
			continue
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				all = append(all, fn)
			}
		}
	}
	return all
}

// mentioning returns the functions that call or refer to one of the names; with
// started, by a go statement, or as a value that another function may start.
func mentioning(decls []*ast.FuncDecl, names []string, started bool) []string {
	var all []string
	for _, d := range decls {
		found := false
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found = found || started && slices.Contains(names, lastName(n.Call.Fun))
			case *ast.CallExpr:
				if !started {
					found = found || slices.Contains(names, lastName(n.Fun))
					break
				}
				for _, a := range n.Args { // g.Go(c.run)
					found = found || slices.Contains(names, lastName(a))
				}
			}
			return !found
		})
		if found && !slices.Contains(all, d.Name.Name) {
			all = append(all, d.Name.Name)
		}
	}
	return all
}

// lastName returns the name of a function or method that an expression refers to.
func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return lastName(e.X)
	case *ast.IndexListExpr:
		return lastName(e.X)
	}
	return ""
}
