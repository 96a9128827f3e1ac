package arenajson

import (
	"reflect"
	"unsafe"
)

// A node describes how to decode values of one Go type. Nodes of types that contain each
// other form a graph, which build.go makes once for a type of target.
type node struct {
	op   op
	bits uint8 // the size of a number
	typ  reflect.Type
	slab uint32 // number of the slab for values of the type
	size uintptr

	elem *node // the element of a pointer, slice, array or map
	key  *node // the key of a map

	// A struct has its fields in order, and finds them by name in three steps. An ASCII
	// name whose trait is not in likely names no field, so it is not looked up. Then the
	// exact name decides, and then the name without regard to case.
	fields []field
	likely *[256]bool        // keyed by trait
	exact  map[string]*field // keyed by name
	folded map[string]*field // keyed by folded name
}

// A field is a field of a struct, or of a struct embedded in it.
type field struct {
	key        string // the name and the quote that ends it
	word, mask uint64 // the first eight bytes of the key, and the bits that it takes
	op         op     // the node's op, unless opVia or opQuoted has to come first
	node       *node
	offset     uintptr           // relative to the struct, or to the target of the last pointer in via
	via        []embeddedPointer // outermost struct first
	quoted     bool              // has the option string
	next       *field            // the field that most inputs name next
}

// An embeddedPointer is a pointer to an embedded struct. Its offset is relative to the
// struct that holds it.
type embeddedPointer struct {
	offset uintptr
	target *node
}

// An op is a way to decode a value.
type op uint8

const (
	opBool op = iota + 1
	opInt
	opUint
	opFloat
	opString
	opNumber // json.Number
	opRaw    // json.RawMessage
	opBytes  // a slice of bytes
	opPointer
	opSlice
	opArray
	opStruct
	opAny // an interface without methods
	opMap
	opStd   // left to json.Unmarshal
	opJSON  // has UnmarshalJSON
	opText  // has UnmarshalText
	opLeave // the whole input is left to json.Unmarshal

	// Steps before the value of a field.
	opVia    // through embedded pointers
	opQuoted // the value is in a string
)

// A slice is the header of a slice of any type.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// An eface is the header of an interface without methods (runtime/runtime2.go).
type eface struct {
	typ, data unsafe.Pointer
}
