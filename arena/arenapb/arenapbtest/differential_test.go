package arenapbtest

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// compare decodes data with both decoders. They accept it with equal messages,
// or both refuse it. The message in the arena is returned.
func compare(t testing.TB, o arenapb.UnmarshalOptions, a *arena.Arena, data []byte, typ proto.Message) proto.Message {
	t.Helper()
	name := typ.ProtoReflect().Descriptor().FullName()
	want := typ.ProtoReflect().New().Interface()
	got := typ.ProtoReflect().New().Interface()
	wantErr := proto.UnmarshalOptions{AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding}.Unmarshal(data, want)
	err := o.Unmarshal(a, data, got)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s: %.200x: got the error %v, want %v", name, data, err, wantErr)
	}
	if err != nil {
		if !errors.Is(err, proto.Error) {
			t.Errorf("%s: the error %v is none of package proto", name, err)
		}
		return got
	}
	if !same(t, got, want) {
		t.Fatalf("%s: %.400x:\ngot  %v\nwant %v", name, data, got, want)
	}
	return got
}

// same reports whether two messages are equal and have one encoding.
func same(t testing.TB, got, want proto.Message) bool {
	t.Helper()
	o := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	x, err := o.Marshal(got)
	y, wantErr := o.Marshal(want)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Marshal: %v, want %v", err, wantErr)
	}
	return bytes.Equal(x, y) && (proto.Equal(got, want) || !proto.Equal(want, want)) // a NaN is not equal to itself
}

var seed = flag.Uint64("seed", 1, "of the random messages")

// rounds are few enough for the race detector, under which no arena reuses memory. Fewer
// are enough for builds in which the memory counts more than the message.
func rounds() int {
	if testing.Short() {
		return 10
	}
	return 40
}

var texts = []arena.Text{arena.TextArena, arena.TextHeap, arena.TextAlias}

func TestRandomMessages(t *testing.T) {
	var pool arena.Pool
	for _, typ := range messages {
		t.Run(string(typ.ProtoReflect().Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(*seed, 2))
			for range rounds() {
				m := typ.ProtoReflect().New()
				fill(r, m, 5)
				data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range texts {
					a := pool.Get()
					compare(t, arenapb.UnmarshalOptions{Text: text}, a, data, typ)
					compare(t, arenapb.UnmarshalOptions{Text: text}, a, append(bytes.Clone(data), data...), typ)
					compare(t, arenapb.UnmarshalOptions{Text: text, DiscardUnknown: true, AllowPartial: true}, a, data, typ)
					for range 5 {
						compare(t, arenapb.UnmarshalOptions{Text: text}, a, mutate(r, data), typ)
					}
					a.Free()
				}
			}
		})
	}
}

// mutate returns data with some bytes changed, removed or added.
func mutate(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(3) {
		if len(data) == 0 {
			return data
		}
		i := r.IntN(len(data))
		switch r.IntN(5) {
		case 0:
			data = data[:i]
		case 1:
			data[i] ^= 1 << r.IntN(8)
		case 2:
			data[i] = byte(r.Uint32())
		case 3:
			data = append(data[:i], data[i+1:]...)
		default:
			data = append(data[:i:i], append([]byte{byte(r.Uint32())}, data[i:]...)...)
		}
	}
	return data
}

// A field that the self-check leaves to proto.Unmarshal would pass every other
// test.
func TestNothingFallsBack(t *testing.T) {
	for _, typ := range messages {
		for _, sentence := range arenapb.Explain(typ) {
			if !strings.HasSuffix(sentence, "its extensions are decoded one by one") {
				t.Error(sentence)
			}
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i, typ := range messages {
		m := typ.ProtoReflect().New()
		fill(r, m, 4)
		data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), uint8(i), data)
	}
	var pool arena.Pool
	f.Fuzz(func(t *testing.T, typ, options uint8, data []byte) {
		a := pool.Get()
		defer a.Free()
		o := arenapb.UnmarshalOptions{Text: texts[int(options)%len(texts)], AllowPartial: options&4 != 0, DiscardUnknown: options&8 != 0}
		compare(t, o, a, data, messages[int(typ)%len(messages)])
	})
}
