package arenapb

import (
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A jsonTable maps the members of a JSON object to the fields of a message.
type jsonTable struct {
	table  *table
	fields []jsonField
	names  map[string]*jsonField
	unseen []uint64 // zero bits, one for each field and oneof
	other  bool     // protojson decodes the value, which need not be an object
	id     int      // among all tables and fields
}

// A jsonField describes how to decode the value of a member.
type jsonField struct {
	field    *field // nil if the member is left to protojson
	kind     protoreflect.Kind
	list     bool
	hex      bool // a bytes field that OTLP encodes in hexadecimal digits
	null     bool // null is a value of the field, and not the absence of one
	nullEnum bool // null is a value of the enum
	key      protoreflect.Kind
	name     string     // the name in JSON
	table    *jsonTable // the table of messages, also in a map
	enum     protoreflect.EnumValueDescriptors
	bit      int // the bit in seen
	oneof    int // bit of the oneof, 0 if there is none
	id       int // among all tables and fields
}

var (
	jsonTables   sync.Map     // *table → *jsonTable
	jsonIDs      atomic.Int64 // the number of tables and fields
	buildingJSON sync.Mutex   // held to add tables, so that a type has only one
)

// jsonTableOf returns the JSON table of a type.
func jsonTableOf(t *table) *jsonTable {
	if j, ok := jsonTables.Load(t); ok {
		return j.(*jsonTable)
	}
	buildingJSON.Lock()
	defer buildingJSON.Unlock()
	made := map[*table]*jsonTable{}
	j := newJSONTable(t, made)
	for t, j := range made {
		jsonTables.Store(t, j)
	}
	return j
}

// newJSONTable returns the table of a type, and adds it and those that it refers to
// if it is not known.
func newJSONTable(t *table, made map[*table]*jsonTable) *jsonTable {
	if j, ok := jsonTables.Load(t); ok {
		return j.(*jsonTable)
	}
	if j := made[t]; j != nil {
		return j
	}
	fields, oneofs := t.desc.Fields(), t.desc.Oneofs().Len()
	j := &jsonTable{
		table: t, names: map[string]*jsonField{}, other: wellKnown(t.desc.FullName()),
		fields: make([]jsonField, fields.Len()), unseen: make([]uint64, (oneofs+fields.Len()+64)/64),
	}
	made[t] = j
	j.id = int(jsonIDs.Add(int64(1+len(j.fields)))) - 1 - len(j.fields)
	for i := range j.fields {
		desc := fields.Get(i)
		f := &j.fields[i]
		f.set(t.direct(desc), desc)
		f.bit = oneofs + 1 + i
		if f.field != nil && f.field.table != nil {
			f.table = newJSONTable(f.field.table, made)
		}
		f.id = j.id + 1 + i
		j.names[desc.TextName()] = f
	}
	for i := range j.fields { // a JSON name takes precedence over a name of the schema
		j.names[j.fields[i].name] = &j.fields[i]
	}
	return j
}

func (f *jsonField) set(direct *field, desc protoreflect.FieldDescriptor) {
	f.field, f.kind, f.list, f.name = direct, desc.Kind(), desc.IsList(), desc.JSONName()
	value := desc
	if desc.IsMap() {
		f.key, value = desc.MapKey().Kind(), desc.MapValue()
		f.kind = value.Kind()
	}
	if e := value.Enum(); e != nil {
		f.enum, f.nullEnum = e.Values(), e.FullName() == "google.protobuf.NullValue"
		f.null = f.nullEnum && !desc.IsMap()
	} else if m := desc.Message(); m != nil {
		f.null = m.FullName() == "google.protobuf.Value"
	}
	switch desc.Name() {
	case "trace_id", "span_id", "parent_span_id":
		f.hex = desc.Kind() == protoreflect.BytesKind
	}
	if oneof := desc.ContainingOneof(); oneof != nil {
		f.oneof = oneof.Index() + 1
	}
}

// direct returns the field behind a descriptor, nil if it is left to package proto.
func (t *table) direct(desc protoreflect.FieldDescriptor) *field {
	tag := protowire.EncodeTag(desc.Number(), protowire.BytesType)
	found := t.rest[uint32(tag)]
	switch {
	case tag < uint64(len(t.dense)):
		found = t.dense[tag]
	case tag < uint64(len(t.wide)):
		found = t.wide[tag]
	}
	if found != nil && found.op == opForeign {
		return nil
	}
	for i := range t.fields {
		if t.fields[i].desc.Number() == desc.Number() {
			return &t.fields[i]
		}
	}
	return nil
}

// wellKnown reports whether protojson has its own encoding for a type, or resolves
// types in it.
func wellKnown(name protoreflect.FullName) bool {
	if name.Parent() != "google.protobuf" {
		return false
	}
	switch name := string(name.Name()); name {
	case "Any", "Timestamp", "Duration", "Struct", "ListValue", "Value", "FieldMask", "Empty":
		return true
	default:
		switch strings.TrimSuffix(name, "Value") {
		case "Bool", "Int32", "Int64", "UInt32", "UInt64", "Float", "Double", "String", "Bytes":
			return true
		}
		return false
	}
}
