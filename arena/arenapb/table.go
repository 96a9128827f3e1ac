package arenapb

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A table describes how to decode messages of one Go type.
type table struct {
	typ      reflect.Type // the struct
	desc     protoreflect.MessageDescriptor
	reason   string   // why messages go through proto.Unmarshal; empty if they do not
	reasons  []string // the same for single fields
	required bool     // has required fields
	extends  bool     // has extension ranges
	text     bool     // may lead to strings or bytes
	unknown  uintptr  // offset of the unknown fields
	keeps    bool     // keeps unknown fields
	values   uint32   // id of the slab of messages

	fields []field
	dense  [128]*field       // tag of one byte → field
	wide   []*field          // small tag → field
	rest   map[uint32]*field // any other tag → field
}

// unknownField is in all places of dense that have no field.
var unknownField = &field{op: opUnknown}

// A field describes how to decode the record behind one tag. A field of the schema
// that has two encodings has two.
type field struct {
	op     op // the first of up to three steps
	then   op // the step after one that sets presence
	store  op // the step after one that makes room for a value
	elem   op // how an element of a list is stored
	tagLen uint8
	alone  bool // may be decoded by onlyText

	offset uintptr // the place in the message
	word   uintptr // offset of the word with the presence bit
	bit    uint32  // presence bit; 0 if there is none
	box    uint32  // slab id of the box: a pointer's target, a oneof's wrapper, a slice header
	boxed  uintptr // size of the box
	values uint32  // slab id of messages, or of a list's elements
	size   uintptr // size of one of these
	lists  uint32  // slab id of pointers to messages, in lists

	tag, mask uint64         // the tag as encoded in its shortest form, and the bits that it takes
	itab      unsafe.Pointer // the itab of a oneof's wrapper
	table     *table         // the table of messages
	mapping   *mapping       // the mapping of maps
	desc      protoreflect.FieldDescriptor
}

// An op is a step in decoding a record.
type op uint8

const (
	opUnknown op = iota

	// Values, each by its encoding and the type that it is stored as.
	opVarint64
	opVarint32
	opBool
	opZigzag64
	opZigzag32
	opFixed64
	opFixed32
	opString // not validated
	opText   // a string that must be UTF-8
	opBytes  // not nil where empty
	opOctets // nil where empty
	opMessage
	opGroup

	// Lists of values and of messages, and maps.
	opMessages
	opGroups
	opList
	opPacked
	opMap

	// Steps before a value: they set its presence, or make a place for it.
	opPresent
	opBox
	opOneof

	// opForeign leaves the record to proto.Unmarshal.
	opForeign
)

// A slice is the header of a slice of any type.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// An iface is the header of an interface with methods (runtime/runtime2.go).
type iface struct {
	tab, data unsafe.Pointer
}
