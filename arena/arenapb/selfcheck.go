package arenapb

import (
	"bytes"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// check decodes samples of every field of the new tables and leaves the fields that
// differ to proto.Unmarshal.
func (b *builder) check() {
	a := arena.NewArena()
	defer a.Free()
	for _, t := range b.order {
		if t.reason != "" {
			continue
		}
		fields := t.desc.Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			for _, sample := range samples(f) {
				if !t.agrees(a, sample) {
					t.leaveToProto(f, "is not decoded as by proto.Unmarshal")
					break
				}
			}
		}
		a.Reset()
	}
}

// samples returns messages with records of one field: as the field is encoded,
// and some values in an unexpected encoding.
func samples(f protoreflect.FieldDescriptor) [][]byte {
	n := f.Number()
	record := func(wire protowire.Type, value ...byte) []byte {
		return append(protowire.AppendTag(nil, n, wire), value...)
	}
	text := func(s string) []byte { return record(protowire.BytesType, protowire.AppendString(nil, s)...) }
	all := [][]byte{
		record(protowire.VarintType, 1),
		text(""),
		text("\x08\x01"),
	}
	switch _, wire := scalarOf(f); {
	case f.Message() != nil && f.Kind() == protoreflect.GroupKind:
		all = append(all, append(record(protowire.StartGroupType), record(protowire.EndGroupType)...))
	case wire == protowire.BytesType || f.Message() != nil:
		all = append(all, text("nine bytes"), text("\xff"), text("größer"))
	case wire == protowire.VarintType:
		all = append(all, record(wire, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), record(wire, 0))
	case wire == protowire.Fixed32Type:
		all = append(all, record(wire, 1, 2, 3, 0x84), text("\x01\x02\x03\x04"))
	case wire == protowire.Fixed64Type:
		all = append(all, record(wire, 1, 2, 3, 4, 5, 6, 7, 0x88), text("\x01\x02\x03\x04\x05\x06\x07\x88"))
	}
	for _, one := range all[1:] { // lists, and values that are merged
		all = append(all, append(bytes.Clone(one), one...))
	}
	return all
}

// agrees reports whether both decoders accept a sample, with equal messages, or
// both refuse it.
func (t *table) agrees(a *arena.Arena, sample []byte) bool {
	d := decoderOf(memory.Of(a, "arenapb"))
	d.open([][]byte{sample}, len(sample), arena.TextArena, t.text)
	defer d.close()
	d.merge = true
	p, want := reflect.New(t.typ).UnsafePointer(), t.value(reflect.New(t.typ).UnsafePointer())
	accepted := d.message(t, p, d.base, d.end, protowire.DefaultRecursionLimit, 0) != nil
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(sample, want); (err == nil) != accepted {
		return false
	}
	return !accepted || same(t.value(p), want)
}

// same reports whether two messages are equal and have one encoding.
func same(m, want proto.Message) bool {
	o := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	x, err := o.Marshal(m)
	y, wantErr := o.Marshal(want)
	return (err == nil) == (wantErr == nil) && bytes.Equal(x, y) && (proto.Equal(m, want) || !proto.Equal(want, want))
}
