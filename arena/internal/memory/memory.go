// Package memory gives the modules nested in arena access to an arena's memory: slabs
// of types that are known only at run time, and a slot for each module. It is not for
// users, because the fields of a Slab are not checked.
package memory

import (
	"reflect"
	"unsafe"
)

// Of returns the memory behind an *arena.Arena that is not nil. The result must not be
// used after the arena is freed. If it is freed already, Of panics and names op, the
// function that the user called. Package arena sets Of.
var Of func(arena any, op string) Core

// A Core is the memory behind an arena. It outlives the arena, because a pool gives
// it to the next one. So slabs that a module has bound to it stay bound.
type Core interface {
	// Slab returns the slab of values of type t. It is the same one as long as
	// the slot keeps its value. If the slab is new, its first chunk has at most
	// the given number of bytes, unless a value needs more; 0 is no limit.
	Slab(t reflect.Type, most int) *Slab

	// Take returns n zero values of s in a row, whether or not its window has
	// room. n times their size must not overflow. Ahead is an estimate of how many
	// more values s will be asked for, in relation to those that it has handed out;
	// 0 is not known.
	Take(s *Slab, n int, ahead float64) unsafe.Pointer

	// Bytes returns n bytes, aligned to 8, that may hold anything. The caller
	// overwrites those that it reads, and stores no pointers and no bools there. The
	// first chunk has n bytes. Ahead is as in Take.
	Bytes(n int, ahead float64) unsafe.Pointer

	// Slot returns the slot of a module. Its value is kept when the arena is reset or
	// freed, unless it could refer to slabs that users hold. It must not refer to
	// values of the arena when the arena is reset.
	Slot(Module) *any
}

// A Module is one that is nested in arena and has a slot.
type Module int

// The modules with a slot, and their number.
const (
	Protobuf Module = iota
	JSON
	ProtobufJSON
	Modules
)

// A Slab is the head of a slab of package arena. Its window is zero memory, which is
// handed out from the end: to take n bytes, subtract n from Left; they begin at Base
// + Left.
type Slab struct {
	Base unsafe.Pointer
	Left uintptr // a multiple of the values' size
}

// ContextKey is the key of a context's arena: an *arena.Arena, or a value whose method
// Arena returns one.
type ContextKey struct{}
