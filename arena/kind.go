package arena

import (
	"reflect"
	"unsafe"
)

// A kind carries a type into code that is not generic. Its only implementations
// are of[T], so that an interface of type kind is known by its first word alone.
type kind interface {
	// newIn is the slow path of New.
	newIn(*Arena) unsafe.Pointer
}

type of[T any] struct{}

func (of[T]) newIn(a *Arena) unsafe.Pointer {
	if a == nil {
		return unsafe.Pointer(new(T))
	}
	return slabOf[T](a, "New").take(1)
}

// key returns the word that distinguishes k from all other kinds: the address of
// its method table (runtime/iface.go). That is static data and a constant to the
// compiler, where reflect.TypeFor costs a conversion.
func key(k kind) uintptr { return *(*uintptr)(unsafe.Pointer(&k)) }

// elemOf returns the elem of T.
func elemOf[T any]() *elem {
	return elemFor(reflect.TypeFor[T](), func(e *elem) {
		e.make = func(c *core, n int) unsafe.Pointer {
			return unsafe.Pointer(unsafe.SliceData(sourceSlice[T](c, n)))
		}
	})
}
