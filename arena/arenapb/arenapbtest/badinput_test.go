package arenapbtest

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

func field(n protowire.Number, wire protowire.Type, value ...byte) []byte {
	return append(protowire.AppendTag(nil, n, wire), value...)
}

// nested returns n messages inside each other, in field f.
func nested(f protowire.Number, n int) []byte {
	var data []byte
	for range n {
		data = append(protowire.AppendTag(nil, f, protowire.BytesType), protowire.AppendBytes(nil, data)...)
	}
	return data
}

func TestHostileInput(t *testing.T) {
	length := func(n uint64) []byte { return protowire.AppendVarint(nil, n) }
	overlong := bytes.Repeat([]byte{0x80}, 9)
	for name, data := range map[string][]byte{
		"empty entries":        bytes.Repeat(field(71, protowire.BytesType, 0), 10_000),
		"empty messages":       bytes.Repeat(field(52, protowire.BytesType, 0), 10_000),
		"empty packed":         bytes.Repeat(field(42, protowire.BytesType, 0), 10_000),
		"alternating":          bytes.Repeat(append(field(48, protowire.BytesType, 1, 'x'), field(52, protowire.BytesType, 0)...), 20_000),
		"alternating unknown":  bytes.Repeat(append(field(9000, protowire.VarintType, 1), field(2, protowire.VarintType, 1)...), 20_000),
		"length 2^31":          field(14, protowire.BytesType, length(1<<31)...),
		"length 2^31-1":        field(52, protowire.BytesType, length(math.MaxInt32)...),
		"length 2^63":          field(14, protowire.BytesType, length(1<<63)...),
		"length 2^63-1":        field(18, protowire.BytesType, length(math.MaxInt64)...),
		"length 2^64-1":        field(71, protowire.BytesType, length(math.MaxUint64)...),
		"long length":          field(14, protowire.BytesType, append(overlong, 0)...),
		"longer length":        field(14, protowire.BytesType, append(overlong, 0x80, 0)...),
		"long varint":          field(7, protowire.VarintType, append(overlong, 1)...),
		"too large a varint":   field(7, protowire.VarintType, append(overlong, 2)...),
		"long tag":             {0x88, 0x80, 0x80, 0},
		"long unknown tag":     {0xf8, 0xff, 0x83, 0x80, 0, 1},
		"number 0":             {0x02, 0},
		"too large a number":   append(length(1<<32|8), 0),
		"largest number":       append(length((1<<29-1)<<3), 0),
		"wire type 6":          field(1, 6),
		"wire type 7":          field(1, 7),
		"end of no group":      field(1, protowire.EndGroupType),
		"group without end":    field(19, protowire.StartGroupType),
		"end of another group": append(field(19, protowire.StartGroupType), field(53, protowire.EndGroupType)...),
		"end in a message":     append(field(19, protowire.StartGroupType), append(field(18, protowire.BytesType, 2), field(19, protowire.EndGroupType)...)...),
		"unknown group":        append(field(9000, protowire.StartGroupType), field(9000, protowire.EndGroupType)...),
		"packed cut":           field(46, protowire.BytesType, 3, 1, 2, 3),
		"packed varint cut":    field(42, protowire.BytesType, 2, 1, 0x80),
		"deep":                 nested(18, 9_999),
		"too deep":             nested(18, 10_000),
		"deep list":            nested(52, 9_999),
		"too deep a list":      nested(52, 10_000),
		"tag alone":            {0x80},
		"two bytes of a tag":   {0xa2, 0x03},
	} {
		t.Run(name, func(t *testing.T) {
			a := arena.NewArena()
			defer a.Free()
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, data, (*open.Everything)(nil))
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, append(data, field(2, protowire.VarintType, 1)...), (*open.Everything)(nil))
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena, RecursionLimit: 20}, a, data, (*open.Everything)(nil))
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, batch(t, 1), messages[0]) // the arena can still be used
		})
	}
}

func TestErrorSaysWhere(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	for in, reason := range map[string]string{
		"\x0a\x05abc":          "0: a field exceeds the message",
		"\x10\x01\x0e":         "2: an unknown wire type",
		"\x0f":                 "0: an unknown wire type",
		"\xf3\xee\x04\x0e":     "0: an unknown wire type", // in an unknown group
		"\x0c":                 "0: the end of a group that did not begin",
		"\xf3\xee\x04\x0c":     "0: the end of a group that did not begin",
		"\x9b\x01":             "2: unterminated group",
		"\x9b\x01\x08\x01":     "4: unterminated group",
		"\x9b\x01\xac\x03":     "2: the end of a group that did not begin",
		"\x9b\x01\x0e":         "2: an unknown wire type",
		"\xba\x04\x02\x1e\x01": "3: an unknown wire type", // in the entry of a map
		"\xba\x04\x01\x1c":     "3: the end of a group that did not begin",
		"\x02":                 "0: an invalid tag",
		"\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02":         "0: an invalid varint",
		"\xc0\xe8\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02": "0: an invalid varint", // of an unknown field
		"\x72\x01\xff": "0: a string that is not UTF-8",
	} {
		err := arenapb.Unmarshal(a, []byte(in), new(open.Everything))
		if want := " at byte " + reason; err == nil || !strings.HasSuffix(err.Error(), want) || !strings.HasPrefix(err.Error(), "arenapb: cannot decode ") || !errors.Is(err, proto.Error) {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
		if proto.Unmarshal([]byte(in), new(open.Everything)) == nil {
			t.Errorf("%q: proto.Unmarshal accepts it", in)
		}
	}
	err := arenapb.Unmarshal(a, []byte("\x0a\x05abc"), new(wrapperspb.StringValue))
	if want := "arenapb: cannot decode google.protobuf.StringValue at byte 0: a field exceeds the message"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestMessagesThatAreNotOurs(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	data, err := proto.Marshal(wrapperspb.String("a text"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []proto.Message{nil, (*wrapperspb.StringValue)(nil)} {
		if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, m); err == nil {
			t.Errorf("%T: no error", m)
		}
	}
	dynamic := dynamicpb.NewMessage(wrapperspb.String("").ProtoReflect().Descriptor())
	if err := arenapb.Unmarshal(a, data, dynamic); err != nil || !proto.Equal(dynamic, wrapperspb.String("a text")) {
		t.Errorf("dynamicpb: got %v, %v", dynamic, err)
	}
	if reasons := arenapb.Explain(dynamic); len(reasons) != 1 || !strings.Contains(reasons[0], "not generated by protoc-gen-go") {
		t.Errorf("dynamicpb: got %q", reasons)
	}
	old := new(legacy)
	if err := arenapb.Unmarshal(a, data, protoadapt.MessageV2Of(old)); err != nil || old.Value != "a text" {
		t.Errorf("a legacy message: got %v, %v", old, err)
	}
	onHeap := new(wrapperspb.StringValue)
	if err := arenapb.Unmarshal(nil, data, onHeap); err != nil || onHeap.Value != "a text" {
		t.Errorf("a nil arena: got %v, %v", onHeap, err)
	}
}

// legacy is a message as protoc-gen-go made them before 2020.
type legacy struct {
	Value string `protobuf:"bytes,1,opt,name=value,proto3"`
}

func (m *legacy) Reset()         { *m = legacy{} }
func (m *legacy) String() string { return m.Value }
func (*legacy) ProtoMessage()    {}

func TestFreedArenaPanics(t *testing.T) {
	a := arena.NewArena()
	a.Free()
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "freed") {
			t.Errorf("got the panic %v", r)
		}
	}()
	arenapb.Unmarshal(a, nil, new(wrapperspb.StringValue))
}

// A message whose parts lie in one arena can be decoded again into another.
func TestMerge(t *testing.T) {
	first, second := batch(t, 3), batch(t, 5)
	want := messages[0].ProtoReflect().New().Interface()
	if err := errors.Join(proto.Unmarshal(first, want), proto.UnmarshalOptions{Merge: true}.Unmarshal(second, want)); err != nil {
		t.Fatal(err)
	}
	a, b := arena.NewArena(), arena.NewArena()
	defer b.Free()
	defer a.Free()
	got := messages[0].ProtoReflect().New().Interface()
	if err := errors.Join(arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, first, got), arenapb.UnmarshalOptions{Text: arena.TextArena, Merge: true}.Unmarshal(b, second, got)); err != nil {
		t.Fatal(err)
	}
	if !same(t, got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Without options, text outlives its arena.
func TestKeptText(t *testing.T) {
	var pool arena.Pool
	source, err := structpb.NewStruct(map[string]any{"a key": "a value", "list": []any{"one", "two"}, "n": 1.0})
	if err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(source)
	if err != nil {
		t.Fatal(err)
	}
	a := pool.Get()
	m := new(structpb.Struct)
	if err := arenapb.Unmarshal(a, data, m); err != nil {
		t.Fatal(err)
	}
	kept := m.Fields["a key"].GetStringValue()
	a.Reset()
	if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, m); err != nil {
		t.Fatal(err)
	}
	cloned := arenapb.Promote(m)
	a.Free()
	clear(data)
	for range 10 { // another user of the memory
		b := pool.Get()
		arena.Bytes(b, bytes.Repeat([]byte{'?'}, 1<<10))
		b.Free()
	}
	if kept != "a value" {
		t.Errorf("the kept string is %q", kept)
	}
	if !proto.Equal(cloned, source) {
		t.Errorf("the clone is %v, want %v", cloned, source)
	}
}
