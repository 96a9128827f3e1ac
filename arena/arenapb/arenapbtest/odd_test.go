package arenapbtest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/odd"
)

// compareExactly compares the encodings of both messages as well, before anybody reads
// the messages: a lazy field has its original encoding until then.
func compareExactly(t *testing.T, o arenapb.UnmarshalOptions, a *arena.Arena, data []byte, typ proto.Message) {
	t.Helper()
	want, got := typ.ProtoReflect().New().Interface(), typ.ProtoReflect().New().Interface()
	wantErr := proto.UnmarshalOptions{AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding}.Unmarshal(data, want)
	if err := o.Unmarshal(a, data, got); (err == nil) != (wantErr == nil) {
		t.Fatalf("%x, %+v: got the error %v, want %v", data, o, err, wantErr)
	}
	if wantErr != nil {
		return
	}
	x, err := proto.MarshalOptions{AllowPartial: true}.Marshal(got)
	y, wantErr := proto.MarshalOptions{AllowPartial: true}.Marshal(want)
	if (err == nil) != (wantErr == nil) || !bytes.Equal(x, y) {
		t.Errorf("%x, %+v: encoded as\n%x, %v, want\n%x, %v", data, o, x, err, y, wantErr)
	}
	compare(t, o, a, data, typ)
}

var oddOptions = []arenapb.UnmarshalOptions{
	{}, {Text: arena.TextArena}, {AllowPartial: true}, {NoLazyDecoding: true}, {DiscardUnknown: true},
	{RecursionLimit: -1}, {RecursionLimit: 1}, {RecursionLimit: 2}, {RecursionLimit: 3},
}

// proto.Unmarshal checks required fields of the first member of a oneof alone. It decodes
// lazy fields when they are read, even those in a field that is not lazy.
func TestOddFields(t *testing.T) {
	within := func(number protowire.Number, parts ...[]byte) []byte {
		inner := bytes.Join(parts, nil)
		return field(number, protowire.BytesType, append([]byte{byte(len(inner))}, inner...)...)
	}
	missing, there := []byte{}, field(1, protowire.VarintType, 1)
	// Not as the runtime encodes it: an empty string and single numbers.
	inner := within(1, field(1, protowire.BytesType, 0), field(2, protowire.VarintType, 3), field(2, protowire.VarintType, 4))
	for name, data := range map[string][]byte{
		"empty":                          nil,
		"second member":                  within(2, missing),
		"third member":                   within(3, missing),
		"third member, inside":           within(6, within(3, missing)),
		"third member twice":             append(within(3, missing), within(3, there)...),
		"all members":                    append(within(2, there), within(3, missing)...),
		"required in a lazy field":       within(4, within(1, within(3, missing))),
		"lazy":                           within(4, inner),
		"lazy twice":                     append(within(4, inner), within(4, inner)...),
		"lazy in a list":                 append(within(5, inner), within(5, inner, inner)...),
		"lazy, inside":                   within(6, within(4, inner, field(2, protowire.VarintType, 9))),
		"lazy and invalid":               within(4, within(1, []byte{0x0a, 9})),
		"lazy and invalid UTF-8":         within(4, within(1, field(1, protowire.BytesType, 1, 0xff))),
		"lazy with an unknown field":     within(4, within(1, field(9, protowire.VarintType, 1)), field(9, protowire.VarintType, 1)),
		"missing in the other, and lazy": append(within(4, inner), within(3, missing)...),
	} {
		t.Run(name, func(t *testing.T) {
			a := arena.NewArena()
			defer a.Free()
			for _, o := range oddOptions {
				compareExactly(t, o, a, data, (*odd.Odd)(nil))
				compareExactly(t, o, a, data, (*odd.Lazy)(nil))
			}
		})
	}
}

func TestOddMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 29))
	var pool arena.Pool
	for range 20 * rounds() {
		m := new(odd.Odd)
		fill(r, m.ProtoReflect(), 5)
		data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		a := pool.Get()
		for _, o := range oddOptions {
			compareExactly(t, o, a, data, m)
			compareExactly(t, o, a, append(bytes.Clone(data), data...), m)
			compareExactly(t, o, a, mutate(r, data), m)
		}
		a.Free()
	}
}
