package arena

import (
	"reflect"
	"sync"
	"unsafe"
)

// An elem is what a slab must know of the type of its values.
type elem struct {
	typ      reflect.Type
	word     unsafe.Pointer // see typeWord
	size     uintptr
	align    uintptr
	pointers bool
	make     func(c *core, n int) unsafe.Pointer // n zero values in a row
	clear    func(p unsafe.Pointer, n int)       // nil for types without pointers
}

// elems holds every elem that was ever needed, by type word.
var elems sync.Map

// elemOf returns the elem of T.
func elemOf[T any]() *elem {
	word := typeWord[T]()
	if e, ok := elems.Load(word); ok {
		return e.(*elem)
	}
	e := newElem(reflect.TypeFor[T](), word)
	e.make = func(c *core, n int) unsafe.Pointer {
		return unsafe.Pointer(unsafe.SliceData(sourceSlice[T](c, n)))
	}
	if e.pointers {
		e.clear = func(p unsafe.Pointer, n int) { clear(unsafe.Slice((*T)(p), n)) }
	}
	elems.Store(word, e)
	return e
}

func newElem(t reflect.Type, word unsafe.Pointer) *elem {
	return &elem{typ: t, word: word, size: t.Size(), align: uintptr(t.Align()), pointers: hasPointers(t)}
}

// typeWord returns the word by which an interface tells that it holds a *T: one
// load, where reflect.TypeFor costs a conversion.
func typeWord[T any]() unsafe.Pointer {
	var p any = (*T)(nil)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// hasPointers reports whether the collector must look into values of type t.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasPointers(f.Type) {
				return true
			}
		}
		return false
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	}
	return true
}
