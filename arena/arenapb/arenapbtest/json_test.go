package arenapbtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	newpb "github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/new"
)

// compareJSON decodes data with protojson and arenapb. They accept it with equal
// messages, or both refuse it. It reports whether they accept it.
func compareJSON(t testing.TB, o arenapb.UnmarshalJSONOptions, a *arena.Arena, data []byte, typ proto.Message) bool {
	t.Helper()
	want := typ.ProtoReflect().New().Interface()
	got := typ.ProtoReflect().New().Interface()
	wantErr := protojson.UnmarshalOptions{AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, RecursionLimit: o.RecursionLimit}.Unmarshal(data, want)
	before := bytes.Clone(data)
	err := o.Unmarshal(a, data, got)
	if !bytes.Equal(before, data) {
		t.Fatalf("%T: %.400s: the input is %.400s now", typ, before, data)
	}
	if err != nil && wantErr == nil && !json.Valid(data) {
		return false // protojson lets some pass
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%T, %+v: %.2000s: got the error %v, want %v", typ, o, data, err, wantErr)
	}
	if err != nil {
		if !errors.Is(err, proto.Error) {
			t.Errorf("%T: the error %v is none of package proto", typ, err)
		}
		return false
	}
	if !same(t, got, want) {
		t.Fatalf("%T, %+v: %.2000s:\ngot  %v\nwant %v", typ, o, data, got, want)
	}
	return true
}

// sampleJSON returns a random message in JSON, nil if it has none.
func sampleJSON(r *rand.Rand, typ proto.Message) []byte {
	m := typ.ProtoReflect().New()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(sample(r, typ), m.Interface()); err != nil {
		panic(err) // it is valid
	}
	haveJSON(m)
	data, err := protojson.MarshalOptions{
		AllowPartial: true, UseProtoNames: r.IntN(4) == 0, UseEnumNumbers: r.IntN(2) == 0, EmitUnpopulated: r.IntN(4) == 0, Multiline: r.IntN(4) == 0,
	}.Marshal(m.Interface())
	if err != nil {
		return nil // a value of a well-known type that has none
	}
	return data
}

// haveJSON replaces the values of well-known types in a message that have no JSON.
func haveJSON(m protoreflect.Message) {
	field := m.Descriptor().Fields().ByNumber
	switch m.Descriptor().FullName() {
	case "google.protobuf.Any":
		m.Set(field(1), protoreflect.ValueOfString("type.googleapis.com/google.protobuf.Any"))
		m.Clear(field(2))
	case "google.protobuf.Duration", "google.protobuf.Timestamp":
		m.Set(field(1), protoreflect.ValueOfInt64(int64(uint32(m.Get(field(1)).Int()))))
		m.Set(field(2), protoreflect.ValueOfInt32(int32(uint32(m.Get(field(2)).Int())%1e9)))
	case "google.protobuf.FieldMask":
		m.Set(field(1), protoreflect.ValueOfList(m.NewField(field(1)).List()))
		m.Mutable(field(1)).List().Append(protoreflect.ValueOfString("a.b_c"))
	case "google.protobuf.Value":
		if m.WhichOneof(m.Descriptor().Oneofs().Get(0)) == nil {
			m.Set(field(1), protoreflect.ValueOfEnum(0))
		}
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				haveJSON(v.Message())
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				haveJSON(v.List().Get(i).Message())
			}
		case f.Message() != nil && !f.IsMap():
			haveJSON(v.Message())
		}
		return true
	})
}

func TestRandomJSON(t *testing.T) {
	var pool arena.Pool
	changes := 20
	if checks { // they take time
		changes = 3
	}
	for _, typ := range messages {
		t.Run(string(typ.ProtoReflect().Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(*seed, 9))
			accepted := 0
			for range rounds() {
				data := sampleJSON(r, typ)
				if data == nil {
					continue
				}
				for _, text := range texts {
					a := pool.Get()
					if compareJSON(t, arenapb.UnmarshalJSONOptions{Text: text, AllowPartial: true}, a, data, typ) {
						accepted++
					}
					compareJSON(t, arenapb.UnmarshalJSONOptions{Text: text}, a, data, typ)
					for range changes {
						o := arenapb.UnmarshalJSONOptions{Text: text, AllowPartial: r.IntN(2) == 0, DiscardUnknown: r.IntN(2) == 0}
						if r.IntN(8) == 0 {
							o.RecursionLimit = 1 + r.IntN(6)
						}
						compareJSON(t, o, a, mutateJSON(r, data), typ)
					}
					a.Free()
				}
			}
			if accepted == 0 {
				t.Error("no input was accepted")
			}
		})
	}
}

// The word null is the value of google.protobuf.NullValue, and nothing elsewhere.
func TestNullInJSON(t *testing.T) {
	for _, in := range []string{
		`{"nothing": null}`, `{"nothings": null}`, `{"nothings": [null, 0, "NULL_VALUE"]}`,
		`{"byName": null}`, `{"byName": {"a": null, "b": 0}}`, `{"byNumber": {"1": null}}`, `{"bools": [null]}`,
	} {
		a := arena.NewArena()
		compareJSON(t, arenapb.UnmarshalJSONOptions{Text: arena.TextArena}, a, []byte(in), (*newpb.New)(nil))
		a.Free()
	}
}

// pieces of JSON that mutateJSON inserts.
var jsonPieces = []string{
	"null", "true", "-0", "1e2", "1.0", "12E-1", `"1e3"`, `"12"`, `"-7"`, `" 1"`, `"NaN"`, `"Infinity"`, "18446744073709551615", "-9223372036854775808", "4294967296",
	"01", "1e+", `"\u0041"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\n\"\\\/"`, "\"\xff\"", "\"\x01\"", "{}", "[]", "[[", "{\"x\":[1,{}]}", `"x":1,`, `,`, `:`, " \t\r\n",
	`"YWJj"`, `"YWI="`, `"YW-_"`, `"YWI"`, `"a"`, `"YW\nJj"`, `"[x.y]":1,`, "999999999999999999999", "1e400", "-", "\"",
}

// mutateJSON returns data with a piece inserted, in the place of a token, or with bytes
// changed.
func mutateJSON(r *rand.Rand, data []byte) []byte {
	if r.IntN(3) == 0 || len(data) < 3 {
		return mutate(r, data)
	}
	start := r.IntN(len(data))
	end := start
	if r.IntN(4) != 0 { // a whole token
		for start > 0 && !bytes.ContainsRune([]byte(",:{}[] "), rune(data[start-1])) {
			start--
		}
		for end < len(data) && !bytes.ContainsRune([]byte(",:{}[] "), rune(data[end])) {
			end++
		}
	}
	return bytes.Join([][]byte{data[:start], []byte(jsonPieces[r.IntN(len(jsonPieces))]), data[end:]}, nil)
}

func FuzzUnmarshalJSON(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i, typ := range messages {
		f.Add(uint8(i), uint8(i), sampleJSON(r, typ))
	}
	var pool arena.Pool
	f.Fuzz(func(t *testing.T, typ, options uint8, data []byte) {
		a := pool.Get()
		defer a.Free()
		o := arenapb.UnmarshalJSONOptions{Text: texts[int(options)%len(texts)], AllowPartial: options&4 != 0, DiscardUnknown: options&8 != 0}
		compareJSON(t, o, a, data, messages[int(typ)%len(messages)])
	})
}
