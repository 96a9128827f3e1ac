package arenapb

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// The protobuf runtime alone knows some facts of a field. It sets the field in an
// empty message, and the code below reads them there.

// probe returns a new message with only the field f set.
func (t *table) probe(f protoreflect.FieldDescriptor) unsafe.Pointer {
	p := reflect.New(t.typ).UnsafePointer()
	m := t.value(p).ProtoReflect()
	switch {
	case f.IsList():
		list := m.Mutable(f).List()
		list.Append(list.NewElement())
	case f.IsMap():
		entries := m.Mutable(f).Map()
		entries.Set(f.MapKey().Default().MapKey(), entries.NewValue())
	case f.Message() != nil:
		m.Mutable(f)
	default:
		m.Set(f, m.NewField(f))
	}
	return p
}

// learnWrapper learns the wrapper of a oneof's field, and its method table.
func (f *field) learnWrapper(t *table) (reflect.Type, error) {
	p := t.probe(f.desc)
	set := (*iface)(unsafe.Add(p, f.offset))
	for field := range t.typ.Fields() {
		if field.Offset != f.offset || field.Type.Kind() != reflect.Interface {
			continue
		}
		value := reflect.NewAt(field.Type, unsafe.Pointer(set)).Elem().Elem()
		if value.Kind() != reflect.Pointer || value.Type().Elem().Kind() != reflect.Struct || value.Type().Elem().NumField() != 1 {
			break
		}
		f.itab = set.tab
		return value.Type().Elem(), nil
	}
	return nil, fmt.Errorf("has no wrapper that is known")
}

// learnPresence learns the presence bit of a field, if it has one.
func (f *field) learnPresence(t *table, words *reflect.StructField) error {
	if words.Type.Kind() != reflect.Array || words.Type.Elem().Kind() != reflect.Uint32 {
		return fmt.Errorf("is in a message whose presence bits have the type %v", words.Type)
	}
	p := t.probe(f.desc)
	for i := range words.Type.Len() {
		at := words.Offset + 4*uintptr(i)
		switch set := *(*uint32)(unsafe.Add(p, at)); {
		case set == 0:
		case f.bit != 0 || bits.OnesCount32(set) != 1:
			return fmt.Errorf("sets several presence bits")
		default:
			f.word, f.bit = at, set
		}
	}
	return nil
}
