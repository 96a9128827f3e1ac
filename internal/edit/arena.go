package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/source"
)

// arenaAPI is the part of package arena that changes use. A program that is to use it has no
// export data of it yet.
const arenaAPI = `package arena

type Arena struct{}

func (a *Arena) Free() {}

type Pool struct{}

func (p *Pool) Get() *Arena { return nil }

func New[T any](a *Arena) (p *T) { return nil }

func MakeSlice[T any](a *Arena, len, cap int) []T { return nil }
`

// withArena is an importer that knows package arena, too.
type withArena struct {
	types.Importer
	fset *token.FileSet
}

func (i withArena) Import(path string) (*types.Package, error) {
	pkg, err := i.Importer.Import(path)
	if err == nil || path != inject.ArenaModule {
		return pkg, err
	}
	file, err := parser.ParseFile(i.fset, "arena.go", arenaAPI, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, i.fset, []*ast.File{file}, nil)
}

// RequireArena returns the change that makes the module of a file require package arena, as
// a unified diff; "" if it does, or if the package is of the modules that are worked on.
func (p *Package) RequireArena(file string) (string, error) {
	if p.index.Works(inject.ArenaModule) {
		return "", nil
	}
	name := filepath.Join(p.index.ModuleDir(file), "go.mod")
	before, err := source.ReadFile(name)
	if err != nil {
		return "", err
	}
	mod, err := modfile.Parse(name, before, nil)
	if err != nil {
		return "", err
	}
	for _, r := range mod.Require {
		if r.Mod.Path == inject.ArenaModule {
			return "", nil
		}
	}
	if err := mod.AddRequire(inject.ArenaModule, inject.ArenaVersion); err != nil {
		return "", err
	}
	after, err := mod.Format()
	if err != nil {
		return "", err
	}
	return string(Diff(p.below(name), before, after)), nil
}
