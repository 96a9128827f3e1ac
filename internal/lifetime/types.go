package lifetime

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// nameOf is the name of a function without type arguments; methods have their type,
// as in "(*bytes.Buffer).Write".
func nameOf(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return withoutArguments(obj.Origin().FullName())
	}
	return withoutArguments(fn.String())
}

// withoutArguments removes what stands in brackets.
func withoutArguments(name string) string {
	i := strings.IndexByte(name, '[')
	if i < 0 {
		return name
	}
	depth, end := 0, i
	for ; end < len(name); end++ {
		switch name[end] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if end == len(name) {
		return name
	}
	return name[:i] + withoutArguments(name[end+1:])
}

func typeName(t types.Type) string {
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return star + n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	return star
}

// elementName is the name of the type of a channel's elements.
func elementName(channel ssa.Value) string {
	c, ok := channel.Type().Underlying().(*types.Chan)
	if !ok {
		return ""
	}
	if s, ok := c.Elem().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return emptyStruct
	}
	return typeName(c.Elem())
}

func fieldOf(t types.Type, i int) *types.Var {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok {
		return s.Field(i)
	}
	return types.NewField(0, nil, strconv.Itoa(i), types.Typ[types.Int], false) // a type parameter
}

const (
	ours    = "github.com/heapwright/heapwright/arena"
	goArena = "arena" // GOEXPERIMENT=arenas
)

// isArena reports whether a type is an arena or a pointer to one.
func isArena(t types.Type) bool {
	name := strings.TrimPrefix(typeName(t), "*")
	return name == ours+".Arena" || name == goArena+".Arena"
}

func classOf(t types.Type) Class { return classIn(t, 0) }

func classIn(t types.Type, depth int) Class {
	if isArena(t) {
		if _, ok := types.Unalias(t).(*types.Pointer); ok {
			return Arena
		}
	}
	if depth > 10 {
		return Whole
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return Whole
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.String, types.UntypedString:
			return Text
		case types.UnsafePointer, types.UntypedNil:
			return Reference
		}
		return Scalar
	case *types.Struct:
		for f := range u.Fields() {
			if classIn(f.Type(), depth+1) != Scalar {
				return Whole
			}
		}
		if strings.HasPrefix(typeName(t), ours) { // a Checkpoint, or options
			return Whole
		}
		return Scalar
	case *types.Array:
		if classIn(u.Elem(), depth+1) != Scalar {
			return Whole
		}
		return Scalar
	case *types.Tuple:
		return Scalar
	}
	return Reference
}

// hasReferences reports whether the elements of a slice refer to memory.
func hasReferences(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && classOf(slice.Elem()) != Scalar
}

// likeText reports whether a type refers to text and bytes alone.
func likeText(t types.Type) bool {
	if isBytes(t) || classOf(t) == Text {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if classOf(f.Type()) != Scalar && !likeText(f.Type()) {
			return false
		}
	}
	return true
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}

// onlyText reports whether a message has no references besides its text.
func onlyText(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok && likeText(t)
}
