package arena

import (
	"reflect"
	"sync"
	"unsafe"
)

// A shape describes a type to Promote. It is computed once for each type.
type shape struct {
	typ      reflect.Type
	size     uintptr
	pointers bool  // values hold pointers
	direct   bool  // an interface holds the value itself, not a pointer to it
	null     any   // a nil pointer to a value
	refs     []ref // the references in a value
}

// A ref is a reference at an offset of a value.
type ref struct {
	offset uintptr
	kind   refKind
	n      int    // values of an array
	to     *shape // the shape of the values referred to, or of the field itself
}

type refKind uint8

const (
	refPointer refKind = iota
	refString
	refSlice
	refInterface
	refArray
	refGoMap
	refMap   // a Map, after its fields
	refArena // an *Arena
)

// rehasher is implemented by a *Map, and by a type that embeds one.
type rehasher interface{ rehash() }

var (
	shapes  sync.Map   // reflect.Type → *shape
	shaping sync.Mutex // held to add shapes, so that a type has only one

	arenaPointer = reflect.TypeFor[*Arena]()
	rehashes     = reflect.TypeFor[rehasher]()
)

// shapeOf returns the shape of t.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	shaping.Lock()
	defer shaping.Unlock()
	made := newShapes{}
	s := made.of(t)
	for t, s := range made {
		shapes.Store(t, s)
	}
	return s
}

// newShapes are the incomplete shapes of types that refer to each other.
type newShapes map[reflect.Type]*shape

func (made newShapes) of(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := made[t]
	if s == nil {
		zero := reflect.Zero(t).Interface()
		s = &shape{
			typ: t, size: t.Size(), pointers: hasPointers(t),
			direct: *dataOf(&zero) == nil && t.Kind() != reflect.Interface,
			null:   reflect.Zero(reflect.PointerTo(t)).Interface(),
		}
		made[t] = s
		made.find(s, 0, t)
	}
	return s
}

// find adds the references of a field of type t to s.
func (made newShapes) find(s *shape, offset uintptr, t reflect.Type) {
	add := func(kind refKind, n int, to reflect.Type) {
		s.refs = append(s.refs, ref{offset: offset, kind: kind, n: n, to: made.of(to)})
	}
	switch t.Kind() {
	case reflect.Pointer:
		if t == arenaPointer {
			s.refs = append(s.refs, ref{offset: offset, kind: refArena})
		} else {
			add(refPointer, 0, t.Elem())
		}
	case reflect.String:
		add(refString, 0, t)
	case reflect.Slice:
		add(refSlice, 0, t.Elem())
	case reflect.Interface:
		add(refInterface, 0, t)
	case reflect.Map:
		add(refGoMap, 0, t)
	case reflect.Array:
		if hasPointers(t.Elem()) {
			add(refArray, t.Len(), t.Elem())
		}
	case reflect.Struct:
		embeds := false
		for f := range t.Fields() {
			made.find(s, offset+f.Offset, f.Type)
			embeds = embeds || f.Anonymous
		}
		// A struct that embeds a Map, or a pointer to one, has its methods too: the
		// Map itself is the one that embeds nothing.
		if !embeds && reflect.PointerTo(t).Implements(rehashes) {
			add(refMap, 0, t)
		}
	}
}

// copy copies n values to the heap.
func (s *shape) copy(at unsafe.Pointer, n int) unsafe.Pointer {
	if !s.pointers {
		bytes := unsafe.Slice((*byte)(at), uintptr(n)*s.size)
		return unsafe.Pointer(unsafe.SliceData(append([]byte{}, bytes...)))
	}
	if s.direct && s.size == unsafe.Sizeof(at) {
		return unsafe.Pointer(unsafe.SliceData(append([]unsafe.Pointer{}, unsafe.Slice((*unsafe.Pointer)(at), n)...)))
	}
	if n == 1 && !s.direct && s.typ.Kind() != reflect.Interface {
		box := s.value(at).Interface() // a copy, without the cost of reflect.New
		return *dataOf(&box)
	}
	c := reflect.MakeSlice(reflect.SliceOf(s.typ), n, n)
	reflect.Copy(c, reflect.SliceAt(s.typ, at, n))
	return c.UnsafePointer()
}

// value returns the value at an address: reflect.NewAt without its search for
// the type of the pointer.
func (s *shape) value(at unsafe.Pointer) reflect.Value {
	p := s.null
	*dataOf(&p) = at
	return reflect.ValueOf(p).Elem()
}

// dataOf returns the second word of an interface, which holds its value or a
// pointer to it (runtime/runtime2.go).
func dataOf(v *any) *unsafe.Pointer { return &(*[2]unsafe.Pointer)(unsafe.Pointer(v))[1] }
