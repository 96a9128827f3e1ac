package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/source"
)

// Package is a package of the program, type-checked.
type Package struct {
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
}

// Packages returns the packages of the program that type-check, and their positions.
func (p *Program) Packages() ([]Package, *token.FileSet) {
	if p == nil {
		return nil, token.NewFileSet()
	}
	p.load.Do(p.open)
	var all []Package
	for _, listed := range p.index.Packages() {
		if c := p.loader.checked[listed.Path]; c != nil && c.err == nil && c.pkg != nil {
			all = append(all, Package{c.files, c.pkg, c.info})
		}
	}
	return all, p.loader.fset
}

// Index returns the source that the program is of; nil without one.
func (p *Program) Index() *source.Index {
	if p == nil {
		return nil
	}
	return p.index
}
