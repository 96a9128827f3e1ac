package guard

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// typeCheck judges the changed packages as the compiler sees them, beside the originals.
func (p *proposal) typeCheck(ctx context.Context) error {
	old, err := p.load(ctx, nil)
	if err != nil {
		return fmt.Errorf("type-checking the packages that a proposal changes: %w", err)
	}
	edits, err := p.load(ctx, p.after)
	if err != nil {
		return err
	}
	for _, f := range p.files {
		id := idOf(edits, f.name)
		if id == "" {
			p.refuse("types", p.below(f.name), "this build leaves it out, so nothing could prove the change")
		}
	}
	for id, after := range edits {
		before := old[id]
		if before == nil && p.adds(after) {
			before = &packages.Package{Types: types.NewPackage(after.PkgPath, after.Name), TypesInfo: &types.Info{}}
			if !strings.Contains("/"+after.PkgPath+"/", "/internal/") {
				p.refuse("api", "", "the package "+id+" is new, and not internal")
			}
		}
		switch {
		case len(after.Errors) > 0:
			p.refuse("types", "", p.relative(after.Errors[0].Error()))
		case before == nil || len(before.Errors) > 0:
			p.refuse("types", "", "the package "+id+" does not type-check without any change")
		default:
			p.judgeAPI(before, after)
			p.judgeInit(before, after)
			p.judgeUses(before, after)
			p.judgeMemory(before, after)
		}
	}
	return nil
}

// adds reports whether all files of a package are new.
func (p *proposal) adds(pkg *packages.Package) bool {
	return !slices.ContainsFunc(pkg.CompiledGoFiles, func(name string) bool {
		return p.after[name] == nil || p.before[name] != nil
	})
}

// relative leaves the root out of a message.
func (p *proposal) relative(message string) string {
	return strings.ReplaceAll(message, p.root+string(filepath.Separator), "")
}

func idOf(all map[string]*packages.Package, name string) string {
	for id, pkg := range all {
		if slices.Contains(pkg.CompiledGoFiles, name) {
			return id
		}
	}
	return ""
}

// load returns the packages of the changed files, by ID, with their texts in the place of
// the files.
func (p *proposal) load(ctx context.Context, overlay map[string][]byte) (map[string]*packages.Package, error) {
	var patterns []string
	for _, f := range p.files {
		dir := filepath.Dir(f.name)
		_, err := os.Stat(dir)
		switch {
		case p.before[f.name] != nil:
			patterns = append(patterns, "file="+f.name)
		case overlay != nil || err == nil: // a new file of a package, or a new package
			patterns = append(patterns, dir)
		}
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	// A driver for go/packages would be one more program, and may know nothing of the overlay.
	config := &packages.Config{
		Context: ctx, Dir: p.root, Overlay: overlay, Env: append(os.Environ(), "GOPACKAGESDRIVER=off"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedModule | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo |
			packages.NeedTypesSizes,
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	all := map[string]*packages.Package{}
	for _, pkg := range loaded {
		all[pkg.ID] = pkg
	}
	return all, ctx.Err()
}

// where returns the place of a node of a package.
func (p *proposal) where(pkg *packages.Package, n ast.Node) string {
	at := pkg.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.below(at.Filename), at.Line)
}

// judgeAPI compares the exported declarations.
func (p *proposal) judgeAPI(before, after *packages.Package) {
	old, edits := exported(before.Types), exported(after.Types)
	for _, name := range slices.Sorted(maps.Keys(old)) {
		switch now, ok := edits[name]; {
		case !ok:
			p.refuse("api", "", name+" is gone")
		case now != old[name]:
			p.refuse("api", "", name+" has another type")
		}
	}
}

// exported returns the types of the exported names of a package, their exported methods
// and fields included.
func exported(pkg *types.Package) map[string]string {
	all := map[string]string{}
	by := types.RelativeTo(pkg)
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		is, isType := o.(*types.TypeName)
		if !isType {
			all[name] = types.ObjectString(o, by)
			continue
		}
		if s, ok := is.Type().Underlying().(*types.Struct); ok {
			all[name] = "struct"
			for f := range s.Fields() {
				if f.Exported() {
					all[name+"."+f.Name()] = types.TypeString(f.Type(), by)
				}
			}
		} else {
			all[name] = types.ObjectString(o, by)
		}
		for sel := range types.NewMethodSet(types.NewPointer(is.Type())).Methods() {
			if sel.Obj().Exported() {
				all[name+"."+sel.Obj().Name()] = types.ObjectString(sel.Obj(), by)
			}
		}
	}
	return all
}
