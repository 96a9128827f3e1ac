package requests

import (
	"go/types"
	"maps"
	"strings"
)

// A kind says where memory comes from.
type kind int

const (
	memory     kind = iota // a parameter refers to it
	text                   // strings and bytes to which a parameter refers
	global                 // a package-level variable refers to it
	fresh                  // the call allocates it
	copied                 // it is a copy: a parameter's memory is not kept with it
	textCopied             // neither is its text
)

// A region is memory that is not told apart, except for the fields of fresh memory.
type region struct {
	kind   kind
	param  int
	fields map[string]set // of fresh memory, by path
}

// anywhere is the path of values that may be anywhere in a region.
const anywhere = "*"

// A place is the whole of a region, or a part of fresh memory. A value that is a
// struct or an array is described by the place that it was read from.
type place struct {
	*region
	path string
}

// A set holds the places that a value may refer to.
type set map[place]bool

func (s set) has(k kind) bool {
	for at := range s {
		if at.kind == k {
			return true
		}
	}
	return false
}

// add adds the places of t, and reports whether any is new.
func (s set) add(t set) bool {
	n := len(s)
	maps.Copy(s, t)
	return len(s) > n
}

// put adds values to a path of a region.
func (r *region) put(path string, s set) bool {
	if len(s) == 0 {
		return false
	}
	if r.fields[path] == nil {
		r.fields[path] = set{}
	}
	return r.fields[path].add(s)
}

// within reports whether a path leads to a place, or to a part of it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// carriage is the part of a request that values of a type can refer to.
type carriage int

const (
	carriesNothing carriage = iota
	carriesText
	carriesMemory
)

// carries returns the carriage of a type. Contexts and errors are not followed.
func carries(t types.Type) carriage {
	if isContext(t) || types.Identical(t, types.Universe.Lookup("error").Type()) {
		return carriesNothing
	}
	switch u := under(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return carriesText
		}
		return carriesNothing
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return carriesText
		}
	case *types.Array:
		return carries(u.Elem())
	case *types.Struct:
		most := carriesNothing
		for f := range u.Fields() {
			if !internal(f) {
				most = max(most, carries(f.Type()))
			}
		}
		return most
	case *types.Tuple:
		return carriesNothing
	}
	return carriesMemory
}

// under returns the underlying type; a type parameter has its only term's.
func under(t types.Type) types.Type {
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		i := param.Constraint().Underlying().(*types.Interface)
		if i.NumEmbeddeds() == 1 {
			if u, ok := i.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
				return u.Term(0).Type().Underlying()
			}
		}
	}
	return t.Underlying()
}

// internal reports whether a field of a message belongs to the protobuf runtime.
func internal(f *types.Var) bool {
	if named, ok := types.Unalias(f.Type()).(*types.Named); ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), "google.golang.org/protobuf/internal") {
		return true
	}
	return f.Name() == "unknownFields" || f.Name() == "sizeCache"
}

// aggregate reports whether values of a type consist of others.
func aggregate(t types.Type) bool {
	switch under(t).(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// labels are the regions of parameters, of their memory and their text, that values
// refer to.
func labels(s set) map[*region]bool {
	found, seen := map[*region]bool{}, set{}
	var visit func(s set)
	visit = func(s set) {
		for at := range s {
			switch at.kind {
			case memory:
				if !s.has(copied) {
					found[at.region] = true
				}
			case text:
				if !s.has(textCopied) {
					found[at.region] = true
				}
			case fresh:
				if seen[at] {
					continue
				}
				seen[at] = true
				for path, values := range at.fields {
					if path == anywhere || within(path, at.path) {
						visit(values)
					}
				}
			}
		}
	}
	visit(s)
	return found
}
