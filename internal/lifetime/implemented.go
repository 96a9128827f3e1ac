package lifetime

import (
	"go/types"
	"strings"
)

// implemented notes the types that implement an interface which other packages cannot name, if the
// package converts none to it: it may be unfinished, or have a list of them in its tests.
func (p *program) implemented() {
	scope := p.pass.Pkg.Scope()
	var ours []*types.Named
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || strings.HasSuffix(p.pass.Fset.Position(obj.Pos()).Filename, "_test.go") {
			continue
		}
		if t, ok := obj.Type().(*types.Named); ok && t.TypeParams() == nil {
			ours = append(ours, t)
		}
	}
	for _, t := range ours {
		i, ok := t.Underlying().(*types.Interface)
		name := typeName(t)
		if !ok || t.Obj().Exported() || i.NumMethods() == 0 || len(p.survey.implementations[name]) > 0 {
			continue
		}
		for _, impl := range ours {
			switch {
			case types.IsInterface(impl):
			case types.Implements(impl, i):
				p.survey.implementations[name] = append(p.survey.implementations[name], typeName(impl))
			case types.Implements(types.NewPointer(impl), i):
				p.survey.implementations[name] = append(p.survey.implementations[name], "*"+typeName(impl))
			}
		}
	}
}
