package arenajson

import (
	"reflect"
	"unsafe"
)

// A node describes how to decode values of one Go type.
type node struct {
	op   op
	bits uint8 // the size of a number
	typ  reflect.Type
	slab uint32 // number of the slab of such values
	size uintptr

	elem   *node // the element of a pointer, slice, array or map
	key    *node // the key of a map
	fields []field
	exact  map[string]*field // name → field
	folded map[string]*field // folded name → field
	likely *[256]bool        // trait → a field's name of ASCII letters can have it
}

// A field is one of the struct or of structs embedded in it.
type field struct {
	key        string // the name and a quote
	word, mask uint64 // the first eight bytes of the key, and the bits that it takes
	op         op     // the node's op; opVia and opQuoted precede it
	node       *node
	offset     uintptr
	via        []via // embedded pointers on the way, each relative to the one before
	quoted     bool  // has the option string
	next       *field
}

// A via is a pointer to an embedded struct.
type via struct {
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
