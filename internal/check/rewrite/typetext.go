package rewrite

import (
	"go/token"
	"go/types"
)

// TypeText returns a type as text at pos can name it. It reports false if a name of the
// type denotes something else there, or if the type is a literal of a struct, an interface,
// a function or a channel, which nobody wants to read twice.
func (f *File) TypeText(t types.Type, pos token.Pos) (string, bool) {
	if !f.nameable(t, pos) {
		return "", false
	}
	return types.TypeString(t, func(pkg *types.Package) string {
		name, _ := f.qualifier(pkg, pos)
		return name
	}), true
}

func (f *File) nameable(t types.Type, pos token.Pos) bool {
	named := func(obj *types.TypeName, args *types.TypeList) bool {
		for arg := range args.Types() {
			if !f.nameable(arg, pos) {
				return false
			}
		}
		if obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg {
			return f.lookup(obj.Name(), pos) == obj
		}
		_, ok := f.qualifier(obj.Pkg(), pos)
		return ok && obj.Exported()
	}
	switch t := t.(type) {
	case *types.Basic:
		return f.Universe(t.Name(), pos)
	case *types.Named:
		return named(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		return named(t.Obj(), nil)
	case *types.Pointer:
		return f.nameable(t.Elem(), pos)
	case *types.Slice:
		return f.nameable(t.Elem(), pos)
	case *types.Array:
		return f.nameable(t.Elem(), pos)
	case *types.Map:
		return f.nameable(t.Key(), pos) && f.nameable(t.Elem(), pos)
	}
	return false
}

// qualifier returns the name by which text at pos refers to a package: none for the
// file's own. It reports false if the file has no such import, or if its name denotes
// something else there.
func (f *File) qualifier(pkg *types.Package, pos token.Pos) (string, bool) {
	if pkg == f.pass.Pkg {
		return "", true
	}
	for _, spec := range f.tree.Imports {
		name := f.pass.TypesInfo.PkgNameOf(spec)
		if name != nil && name.Imported() == pkg && f.lookup(name.Name(), pos) == name {
			return name.Name(), true
		}
	}
	return "", false
}
