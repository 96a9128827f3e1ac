package arena

import (
	"reflect"
	"sync"
	"unsafe"
)

// An elem describes the type of a slab's values. There is one for each type.
type elem struct {
	typ      reflect.Type
	size     uintptr
	align    uintptr
	pointers bool
	anyBits  bool                                // any bits are a valid value, so such types may share memory
	make     func(c *core, n int) unsafe.Pointer // n zero values in a row
	estimate estimate
}

// elems holds every elem that was ever needed, by reflect.Type.
var elems sync.Map

// elemFor returns the elem of t. If it is new, finish completes it.
func elemFor(t reflect.Type, finish func(*elem)) *elem {
	if e, ok := elems.Load(t); ok {
		return e.(*elem)
	}
	e := &elem{typ: t, size: t.Size(), align: uintptr(t.Align()), pointers: hasPointers(t), anyBits: every(t, number)}
	finish(e)
	first, _ := elems.LoadOrStore(t, e)
	return first.(*elem)
}

// clear drops the pointers in size bytes of values at p. It clears them as words, for
// which it need not know the type: the write barrier finds the pointers among them in
// the heap's own records (memclrHasPointers in runtime/mbarrier.go).
func (e *elem) clear(p unsafe.Pointer, size uintptr) {
	if e.pointers {
		clear(unsafe.Slice((*unsafe.Pointer)(p), size/unsafe.Sizeof(p)))
	}
}

// hasPointers reports whether the collector must look into values of type t.
func hasPointers(t reflect.Type) bool {
	return !every(t, func(k reflect.Kind) bool { return k == reflect.Bool || number(k) })
}

// number reports whether any bits are a valid value of kind k. A bool must be 0 or 1:
// the compiler relies on that to drop bounds checks.
func number(k reflect.Kind) bool {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return false
}

// every reports whether is holds for every part of a value of type t.
func every(t reflect.Type, is func(reflect.Kind) bool) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || every(t.Elem(), is)
	case reflect.Struct:
		for f := range t.Fields() {
			if !every(f.Type, is) {
				return false
			}
		}
		return true
	}
	return is(t.Kind())
}
