package arenapb

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A builder makes the tables of types that refer to each other. None of them is used for
// decoding before all are complete.
type builder struct {
	tables map[reflect.Type]*table
	order  []*table
}

// table returns the table of a type, of which m is a message. It adds the table, and those
// of the types that it refers to, unless they are known.
func (b *builder) table(typ reflect.Type, m proto.Message) *table {
	if t, ok := tables.Load(typ); ok {
		return t.(*table)
	}
	if t := b.tables[typ]; t != nil {
		return t
	}
	t := &table{desc: m.ProtoReflect().Descriptor(), rest: map[uint32]*field{}}
	b.tables[typ] = t
	b.order = append(b.order, t)
	if t.reason = foreign(typ); t.reason != "" {
		return t
	}
	t.typ = typ.Elem()
	l, reason := layoutOf(t.typ, t.desc)
	if t.reason = reason; reason != "" {
		return t
	}
	t.values = slabTypes.ID(t.typ)
	t.required = t.desc.RequiredNumbers().Len() > 0
	t.extends = t.desc.ExtensionRanges().Len() > 0
	if l.unknown != nil {
		t.unknown, t.keeps = l.unknown.Offset, true
	}
	for i := range t.dense {
		t.dense[i] = unknownField
	}
	fields := t.desc.Fields()
	t.fields = make([]field, 0, 2*fields.Len()) // tags point to them
	for i := range fields.Len() {
		f := fields.Get(i)
		if err := b.add(t, l, f); err != nil {
			t.leaveToProto(f, err.Error())
		}
	}
	return t
}

// leaveToProto leaves a field to proto.Unmarshal, in every encoding that it may have: no
// record of the field may be taken for an unknown one.
func (t *table) leaveToProto(desc protoreflect.FieldDescriptor, reason string) {
	t.reasons = append(t.reasons, fmt.Sprintf("field %s %s", desc.Name(), reason))
	f := &field{op: opForeign, desc: desc}
	wires := []protowire.Type{protowire.BytesType, protowire.StartGroupType}
	if desc.Message() == nil {
		wires = []protowire.Type{protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type, protowire.BytesType}
	}
	for _, wire := range wires {
		t.set(desc.Number(), wire, f)
	}
}

// maxWide bounds the tags that are looked up in a slice: fields below 128.
const maxWide = 128 << 3

// set makes f the field of a tag.
func (t *table) set(n protoreflect.FieldNumber, wire protowire.Type, f *field) {
	tag := protowire.EncodeTag(n, wire)
	switch {
	case tag < uint64(len(t.dense)):
		t.dense[tag] = f
	case tag < maxWide:
		for uint64(len(t.wide)) <= tag {
			t.wide = append(t.wide, unknownField)
		}
		t.wide[tag] = f
	default:
		t.rest[uint32(tag)] = f
	}
}

// add adds a field of a message to its table. An error says why the field has to be left
// to package proto; it completes a sentence that begins with the name of the field.
func (b *builder) add(t *table, l *layout, desc protoreflect.FieldDescriptor) error {
	in, inStruct := l.numbers[desc.Number()]
	typ := in.Type
	f := field{desc: desc}
	// The struct has one interface for all fields of a oneof. The value is in a wrapper,
	// whose only field has the value's type.
	oneof := desc.ContainingOneof()
	if oneof != nil && !oneof.IsSynthetic() {
		in, inStruct = l.oneofs[oneof.Name()]
		if !inStruct || in.Type.Kind() != reflect.Interface {
			return fmt.Errorf("is not where a oneof is expected")
		}
		f.offset = in.Offset
		wrapper, err := f.learnWrapper(t)
		if err != nil {
			return err
		}
		f.op, f.box, f.boxed = opOneof, slabTypes.ID(wrapper), wrapper.Size()
		typ = wrapper.Field(0).Type
	}
	if !inStruct {
		return fmt.Errorf("is not in the Go struct")
	}
	f.offset = in.Offset
	wire, err := b.chooseStore(&f, typ)
	if err != nil {
		return err
	}
	// Strings, bytes and unknown fields are text, so any message inside may have text.
	if f.table != nil || wire == protowire.BytesType && f.store != opPacked {
		t.text = true
	}
	// Up to two steps come before the one that stores the value: one sets the presence
	// bit, and one makes room for the value.
	if l.present != nil {
		if err := f.learnPresence(t, l.present); err != nil {
			return err
		}
	}
	if f.op == 0 {
		f.op = f.store
	}
	if f.bit != 0 {
		f.then, f.op = f.op, opPresent
	}
	t.addTag(f, wire)
	if other, wire, ok := f.otherEncoding(wire); ok {
		t.addTag(other, wire)
	}
	return nil
}

// otherEncoding returns the field for the other encoding of a list of numbers, packed or
// not, and the wire type of that encoding. Decoders must accept both, whatever the schema
// says. Other fields have only one.
func (f field) otherEncoding(wire protowire.Type) (field, protowire.Type, bool) {
	switch {
	case f.store == opPacked:
		f.store, wire = opList, wireOf(f.elem)
	case f.store == opList && wire != protowire.BytesType:
		f.store, wire = opPacked, protowire.BytesType
	default:
		return f, wire, false
	}
	if f.then != 0 {
		f.then = f.store
	} else {
		f.op = f.store
	}
	return f, wire, true
}

// addTag adds a field under its tag.
func (t *table) addTag(f field, wire protowire.Type) {
	tag := protowire.AppendTag(nil, f.desc.Number(), wire)
	f.tagLen = uint8(len(tag))
	f.alone = (f.op == opOneof || f.op == opText) && f.store == opText && !t.required
	for i, b := range tag {
		f.tag |= uint64(b) << (8 * i)
		f.mask |= 0xff << (8 * i)
	}
	t.fields = append(t.fields, f)
	t.set(f.desc.Number(), wire, &t.fields[len(t.fields)-1])
}

// chooseStore determines how the value of a field is stored in a Go type, and returns the
// wire type of the field. It accepts only the types that protoc-gen-go generates for the
// field, because values are stored without the checks of package reflect.
func (b *builder) chooseStore(f *field, typ reflect.Type) (protowire.Type, error) {
	unexpected := fmt.Errorf("has the type %v, which is not expected", typ)
	// Maps and messages come first, because their elements have tables of their own.
	switch {
	case f.desc.IsMap():
		f.store = opMap
		if f.mapping = mappingOf(f.desc, typ); f.mapping == nil {
			return 0, unexpected
		}
		if f.mapping.value == opMessage {
			return protowire.BytesType, b.message(f, typ.Elem())
		}
		return protowire.BytesType, nil
	case f.desc.Message() != nil && f.desc.IsList():
		if typ.Kind() == reflect.Pointer && f.op == 0 { // the opaque API
			f.op, f.box, f.boxed = opBox, slabTypes.ID(typ.Elem()), typ.Elem().Size()
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Slice {
			return 0, unexpected
		}
		f.lists = slabTypes.ID(typ.Elem())
		f.store = opMessages
		if f.desc.Kind() == protoreflect.GroupKind {
			f.store = opGroups
			return protowire.StartGroupType, b.message(f, typ.Elem())
		}
		return protowire.BytesType, b.message(f, typ.Elem())
	case f.desc.Message() != nil:
		f.store = opMessage
		if f.desc.Kind() == protoreflect.GroupKind {
			f.store = opGroup
			return protowire.StartGroupType, b.message(f, typ)
		}
		return protowire.BytesType, b.message(f, typ)
	}
	// What is left are scalars: in a list, behind a pointer that is nil if the field is
	// not set, or in the struct itself.
	scalar, wire := scalarOf(f.desc)
	switch {
	case f.desc.IsList():
		if typ.Kind() != reflect.Slice || !holds(typ.Elem(), scalar) {
			return 0, unexpected
		}
		f.store, f.elem, f.size, f.lists = opList, scalar, typ.Elem().Size(), rawList
		if scalar == opBool || wire == protowire.BytesType {
			f.lists = slabTypes.ID(typ.Elem())
		}
		if f.desc.IsPacked() {
			f.store, wire = opPacked, protowire.BytesType
		}
		return wire, nil
	case typ.Kind() == reflect.Pointer && f.op == 0:
		f.op, f.box, f.boxed = opBox, slabTypes.ID(typ.Elem()), typ.Elem().Size()
		typ = typ.Elem()
	}
	if f.store = scalar; !holds(typ, scalar) {
		return 0, unexpected
	}
	if scalar == opBytes && !f.desc.HasPresence() {
		f.store = opOctets
	}
	return wire, nil
}

// message completes a field whose messages have a pointer type.
func (b *builder) message(f *field, typ reflect.Type) error {
	m, ok := reflect.Zero(typ).Interface().(proto.Message)
	if !ok || typ.Kind() != reflect.Pointer {
		return fmt.Errorf("has messages of type %v, which is not a generated one", typ)
	}
	f.table = b.table(typ, m)
	if f.table.reason != "" {
		return fmt.Errorf("has messages of type %s, which %s", f.table.desc.FullName(), f.table.reason)
	}
	f.values, f.size = f.table.values, f.table.typ.Size()
	return nil
}

// scalarOf returns how the scalars of a field are stored and encoded.
func scalarOf(f protoreflect.FieldDescriptor) (op, protowire.Type) {
	var o op
	switch f.Kind() {
	case protoreflect.BoolKind:
		o = opBool
	case protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Uint32Kind:
		o = opVarint32
	case protoreflect.Int64Kind, protoreflect.Uint64Kind:
		o = opVarint64
	case protoreflect.Sint32Kind:
		o = opZigzag32
	case protoreflect.Sint64Kind:
		o = opZigzag64
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		o = opFixed32
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		o = opFixed64
	case protoreflect.StringKind:
		if o = opString; mustBeUTF8(f) {
			o = opText
		}
	case protoreflect.BytesKind:
		o = opBytes
	}
	return o, wireOf(o)
}

// wireOf returns how a scalar is encoded.
func wireOf(o op) protowire.Type {
	switch o {
	case opFixed32:
		return protowire.Fixed32Type
	case opFixed64:
		return protowire.Fixed64Type
	case opString, opText, opBytes:
		return protowire.BytesType
	}
	return protowire.VarintType
}

// mustBeUTF8 reports whether proto.Unmarshal refuses a string that is not UTF-8
// (internal/strs of google.golang.org/protobuf).
func mustBeUTF8(f protoreflect.FieldDescriptor) bool {
	if f, ok := f.(interface{ EnforceUTF8() bool }); ok && f != nil {
		return f.EnforceUTF8()
	}
	return f.Syntax() == protoreflect.Proto3
}

// holds reports whether values of a Go type can be stored by o.
func holds(typ reflect.Type, o op) bool {
	switch typ.Kind() {
	case reflect.Bool:
		return o == opBool
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return o == opVarint32 || o == opZigzag32 || o == opFixed32
	case reflect.Int64, reflect.Uint64, reflect.Float64:
		return o == opVarint64 || o == opZigzag64 || o == opFixed64
	case reflect.String:
		return o == opString || o == opText
	case reflect.Slice:
		return o == opBytes && typ.Elem().Kind() == reflect.Uint8
	}
	return false
}
