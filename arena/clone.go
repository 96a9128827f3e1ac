package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

// Clone returns a shallow copy of s on the heap if s lies in the memory of an arena,
// and s itself otherwise. T must be a pointer, a slice or a string type, or an
// interface that holds one; Clone panics for any other. The capacity of a copied
// slice is its length. The copy outlives the arena, but arena values that it refers
// to do not: [Promote] copies those too. Clone may be called concurrently.
func Clone[T any](s T) T {
	to := reflect.ValueOf(&s).Elem()
	v := to
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if contains(v.UnsafePointer()) {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(v.Elem())
			to.Set(p.Convert(v.Type()))
		}
	case reflect.Slice:
		if contains(v.UnsafePointer()) {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			to.Set(c)
		}
	case reflect.String:
		if text := v.String(); contains(unsafe.Pointer(unsafe.StringData(text))) {
			to.Set(reflect.ValueOf(strings.Clone(text)).Convert(v.Type()))
		}
	default:
		panic("arena: Clone only supports pointers, slices, and strings")
	}
	return s
}
