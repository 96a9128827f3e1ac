package flow

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/source"
)

// loader type-checks the packages of the program's own modules from source, and
// takes all others from their export data.
type loader struct {
	fset    *token.FileSet
	index   *source.Index
	listed  map[string]source.Package
	checked map[string]*checked
	exports types.Importer
}

type checked struct {
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
	err   error
}

func newLoader(x *source.Index) *loader {
	l := &loader{fset: token.NewFileSet(), index: x, listed: map[string]source.Package{}, checked: map[string]*checked{}}
	for _, p := range x.Packages() {
		l.listed[p.Path] = p
	}
	l.exports = x.Importer(l.fset, nil)
	return l
}

// check type-checks a package and the packages of the program that it imports.
func (l *loader) check(path string) *checked {
	if c := l.checked[path]; c != nil {
		return c
	}
	p := l.listed[path]
	c := &checked{info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}}
	l.checked[path] = c
	if p.Cgo {
		c.err = fmt.Errorf("%s uses cgo", path)
		return c
	}
	for _, name := range p.Files {
		f, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			c.err = err
			return c
		}
		c.files = append(c.files, f)
	}
	conf := types.Config{Importer: importing{l, p.ImportMap}}
	c.pkg, c.err = conf.Check(path, l.fset, c.files, c.info)
	return c
}

// importing resolves the imports of one package.
type importing struct {
	*loader
	renamed map[string]string
}

func (i importing) Import(path string) (*types.Package, error) {
	path = cmp.Or(i.renamed[path], path)
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if _, own := i.listed[path]; own {
		if c := i.check(path); c.err == nil {
			return c.pkg, nil
		}
	}
	return i.exports.Import(path)
}

// program makes SSA packages of all that was checked, without the bodies, which
// are built when they are needed.
func (l *loader) program() *ssa.Program {
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics)
	created := map[*types.Package]bool{}
	var imported func([]*types.Package)
	imported = func(all []*types.Package) {
		for _, p := range all {
			if !created[p] {
				created[p] = true
				if c := l.checked[p.Path()]; c == nil || c.pkg != p {
					prog.CreatePackage(p, nil, nil, true)
				}
				imported(p.Imports())
			}
		}
	}
	for _, c := range l.checked {
		if c.err == nil {
			prog.CreatePackage(c.pkg, c.files, c.info, true)
			created[c.pkg] = true
		}
	}
	for _, c := range l.checked {
		if c.err == nil {
			imported(c.pkg.Imports())
		}
	}
	return prog
}
