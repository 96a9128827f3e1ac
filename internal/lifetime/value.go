package lifetime

import (
	"cmp"
	"slices"
	"strings"
)

// A ref is an address: an object, and the path to a part of it, such as ".next" or
// ".list[]".
type ref struct {
	obj  int
	path string
}

const (
	// Parts that no field of a program is named for begin with a percent sign.
	elements = "[]"
	keys     = "[key]"
	partly   = ".%part" // an unknown part
	whole    = "*"      // the cell that holds the struct which this one is a copy of
)

// bits are the values that are no references.
type bits uint8

const (
	null  bits = 1 << iota // nil, or the empty text
	yes                    // true
	no                     // false
	other                  // a value that does not matter
	lost                   // any value: the flow to it is not known
	many                   // the object stands for several ones
	each                   // a loop over a list has reached the object, and reaches the others too
)

// A value is what a register or a cell may hold: one of its references or bits.
type value struct {
	refs  []ref // sorted
	bits  bits
	sym   int     // the identity of a value for conditions, 0 if it has none
	parts []value // the results of a call
	num   string  // the text of a number that is known
}

func (v value) empty() bool {
	return len(v.refs) == 0 && v.bits == 0 && v.sym == 0 && v.parts == nil && v.num == ""
}

func compareRefs(a, b ref) int {
	return cmp.Or(cmp.Compare(a.obj, b.obj), cmp.Compare(a.path, b.path))
}

// to is a value that refers to objects.
func to(refs ...ref) value {
	slices.SortFunc(refs, compareRefs)
	return value{refs: slices.Compact(refs)}
}

// union is one of two values.
func union(a, b value) value {
	switch {
	case a.empty():
		return b
	case b.empty():
		return a
	}
	v := value{bits: a.bits | b.bits}
	if a.sym == b.sym {
		v.sym = a.sym
	}
	if a.num == b.num {
		v.num = a.num
	}
	if len(b.refs) == 0 {
		v.refs = a.refs
	} else if len(a.refs) == 0 {
		v.refs = b.refs
	} else {
		v.refs = to(append(slices.Clone(a.refs), b.refs...)...).refs
	}
	for i := range max(len(a.parts), len(b.parts)) {
		var x, y value
		if i < len(a.parts) {
			x = a.parts[i]
		}
		if i < len(b.parts) {
			y = b.parts[i]
		}
		v.parts = append(v.parts, union(x, y))
	}
	return v
}

func equal(a, b value) bool {
	return a.bits == b.bits && a.sym == b.sym && a.num == b.num &&
		slices.Equal(a.refs, b.refs) && slices.EqualFunc(a.parts, b.parts, equal)
}

// at is the address of a part of what v refers to.
func (v value) at(path string) value {
	var refs []ref
	for _, r := range v.refs {
		if strings.Count(r.path, "[")+strings.Count(r.path, ".") > maxPath {
			continue
		}
		if path == elements && strings.HasSuffix(r.path, elements) && strings.HasSuffix(r.path, elements+elements) {
			continue
		}
		refs = append(refs, ref{r.obj, r.path + path})
	}
	a := to(refs...)
	if len(refs) < len(v.refs) {
		a.bits |= lost
	}
	a.bits |= v.bits & (lost | other | many | each)
	return a
}

// maxPath bounds the depth of fields in an object.
const maxPath = 6

func (v value) definitelyNil() bool { return v.bits == null && len(v.refs) == 0 }
