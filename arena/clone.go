package arena

import "reflect"

// Clone returns a shallow copy of s on the heap if s lies in the memory of an
// arena, and s itself otherwise. T must be a pointer, a slice or a string type;
// Clone panics for any other. The capacity of a copied slice is its length. It
// may be called concurrently; it is the way to let a value outlive its arena
// (see also [Promote]).
func Clone[T any](s T) T {
	v := reflect.ValueOf(&s).Elem()
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice:
		if !contains(v.UnsafePointer()) {
			return s
		}
	case reflect.String:
		if !containsString(v.String()) {
			return s
		}
	default:
		panic("arena: Clone only supports pointers, slices, and strings")
	}
	v.Set(shallowCopy(v))
	return s
}
