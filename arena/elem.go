package arena

import (
	"reflect"
	"sync"
	"unsafe"
)

// An elem is what a slab must know of the type of its values. There is one for
// each type.
type elem struct {
	typ      reflect.Type
	size     uintptr
	align    uintptr
	pointers bool
	make     func(c *core, n int) unsafe.Pointer // n zero values in a row
	clear    func(p unsafe.Pointer, n int)       // nil for types without pointers
	usual    usual
}

// elems holds every elem that was ever needed, by reflect.Type.
var elems sync.Map

// elemFor returns the elem of t, which finish completes where it is new.
func elemFor(t reflect.Type, finish func(*elem)) *elem {
	if e, ok := elems.Load(t); ok {
		return e.(*elem)
	}
	e := &elem{typ: t, size: t.Size(), align: uintptr(t.Align()), pointers: hasPointers(t)}
	finish(e)
	first, _ := elems.LoadOrStore(t, e)
	return first.(*elem)
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
