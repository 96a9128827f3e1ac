package lifetime

import (
	"go/types"
	"strings"
)

// innermost cuts the path of a field, and the one of the arena in which its memory lies, to their
// last names. The arena is not known if it is not in the same struct.
func innermost(path, arena string) (field, inner string) {
	i := strings.LastIndexByte(path, '.')
	inner, ok := strings.CutPrefix(arena, path[:i])
	if !ok || strings.Count(inner, ".") != 1 {
		inner = ""
	}
	return path[i:], inner
}

// innerStruct splits the path of a field into the path of the struct around it and its name, and
// returns the type of that struct.
func (e *engine) innerStruct(typ, path string) (inner, outer, field string) {
	i := strings.LastIndexByte(path, '.')
	if i <= 0 || strings.Contains(path[:i], "[") {
		return typ, "", path
	}
	name, own := strings.CutPrefix(typ, e.program.pass.Pkg.Path()+".")
	obj, ok := e.program.pass.Pkg.Scope().Lookup(name).(*types.TypeName)
	if !own || !ok {
		return typ, "", path
	}
	t := obj.Type()
	for part := range strings.SplitSeq(path[1:i], ".") {
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return typ, "", path
		}
		t = nil
		for f := range st.Fields() {
			if f.Name() == part {
				t = f.Type()
			}
		}
		if t == nil {
			return typ, "", path
		}
	}
	return typeName(t), path[:i], path[i:]
}
