package arena

import (
	"reflect"
	"unsafe"
)

// ReflectNew is the counterpart of reflect.ArenaNew: it returns a Value that is
// a pointer to a new zero value of type t in a. It shares memory with [New] of
// the same type.
func ReflectNew(a *Arena, t reflect.Type) reflect.Value {
	if t == nil {
		panic("arena: ReflectNew of a nil type")
	}
	if a == nil {
		return reflect.New(t)
	}
	c := a.live("ReflectNew")
	e := reflectElem(t)
	k := uintptr(unsafe.Pointer(e)) // no kind has this key
	s := c.table.get(k)
	if s == nil {
		s = c.slabFor(k, e)
	}
	return reflect.NewAt(t, s.take(1))
}

// reflectElem is elemOf for a type known only at run time.
func reflectElem(t reflect.Type) *elem {
	return elemFor(t, func(e *elem) {
		slice := reflect.SliceOf(t)
		e.make = func(_ *core, n int) unsafe.Pointer { return reflect.MakeSlice(slice, n, n).UnsafePointer() }
	})
}

// A header begins a slice of any type.
type header struct {
	data     unsafe.Pointer
	len, cap int
}
