package source

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// mostBounds bounds the names that Bounds returns.
const mostBounds = 5

var (
	// releases matches methods after which an object keeps less. Close and Stop are none: they
	// end the object.
	releases = regexp.MustCompile(`^(Flush|Release|Free|Remove|Delete|Evict|Clear|Clean|Expire|Purge|Drain|Prune|` +
		`Unsubscribe|Deregister|Unregister|Forget|Trim|Discard)`)
	// limits matches fields that bound how much an object keeps.
	limits = regexp.MustCompile(`Max|Limit|TTL|Timeout|Expir|Capacity|Bound`)
)

// Bounds returns the methods and fields by which a library's type keeps less, or no more than so
// much, for one of its methods as a profile names it. The type is "tcpassembly.Assembler".
func (x *Index) Bounds(method string) (typeName string, names []string) {
	pkg, rest, ok := strings.Cut(method, ".(*")
	name, _, isMethod := strings.Cut(rest, ")")
	if x == nil || !ok || !isMethod {
		return "", nil
	}
	imported, err := x.Importer(token.NewFileSet(), nil).Import(pkg)
	if err != nil {
		return "", nil
	}
	object, ok := imported.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return "", nil
	}
	for m := range types.NewMethodSet(types.NewPointer(object.Type())).Methods() {
		if m.Obj().Exported() && releases.MatchString(m.Obj().Name()) {
			names = append(names, m.Obj().Name())
		}
	}
	names = append(names, limiting(object.Type())...)
	return imported.Name() + "." + name, names[:min(len(names), mostBounds)]
}

// limiting returns the exported fields by which a struct, or one that is embedded in it, bounds
// how much it keeps.
func limiting(t types.Type) (names []string) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Embedded() {
			names = append(names, limiting(f.Type())...)
		} else if f.Exported() && limits.MatchString(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return slices.Compact(names)
}
