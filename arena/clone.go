package arena

import "reflect"

// Clone returns a shallow copy of s on the heap if s lies in the memory of an
// arena, and s itself otherwise. T must be a pointer, a slice or a string type,
// or an interface that holds one; Clone panics for any other. The capacity of a
// copied slice is its length. It may be called concurrently; it is the way to let
// a value outlive its arena (see also [Promote]).
func Clone[T any](s T) T {
	to := reflect.ValueOf(&s).Elem()
	v := to
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
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
	to.Set(shallowCopy(v))
	return s
}
