package arenapbtest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Input in pieces gives the same message as in one, and the message does not refer to
// them: a network may use its buffers again.
func TestPieces(t *testing.T) {
	var pool arena.Pool
	r := rand.New(rand.NewPCG(*seed, 8))
	for _, typ := range messages {
		for range rounds() {
			data := sample(r, typ)
			if r.IntN(2) == 0 {
				data = mutate(r, data)
			}
			want := typ.ProtoReflect().New().Interface()
			wantErr := proto.Unmarshal(data, want)
			for _, text := range texts {
				a := pool.Get()
				got := typ.ProtoReflect().New().Interface()
				pieces := split(r, bytes.Clone(data))
				err := arenapb.UnmarshalOptions{Text: text}.UnmarshalPieces(a, pieces, got)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("%T: %.200x: got the error %v, want %v", typ, data, err, wantErr)
				}
				for _, piece := range pieces {
					copy(piece, bytes.Repeat([]byte{0xdb}, len(piece)))
				}
				if err == nil && !same(t, got, want) {
					t.Fatalf("%T: %.400x:\ngot  %v\nwant %v", typ, data, got, want)
				}
				a.Free()
			}
		}
	}
}

// split returns data in at least two pieces. Some are empty.
func split(r *rand.Rand, data []byte) [][]byte {
	pieces := [][]byte{nil}
	for len(data) > 0 {
		n := r.IntN(min(len(data), 100) + 1)
		pieces, data = append(pieces, data[:n:n]), data[n:]
	}
	return append(pieces, nil)
}

func TestPiecesOntoTheHeap(t *testing.T) {
	data, err := proto.Marshal(wrapperspb.String("a text"))
	if err != nil {
		t.Fatal(err)
	}
	m := new(wrapperspb.StringValue)
	if err := (arenapb.UnmarshalOptions{}).UnmarshalPieces(nil, [][]byte{data[:3], data[3:]}, m); err != nil || m.Value != "a text" {
		t.Errorf("got %v, %v", m, err)
	}
}

// The unknown fields of a message without strings are text as well.
func TestKeptUnknownFields(t *testing.T) {
	var pool arena.Pool
	unknown := protowire.AppendString(protowire.AppendTag(nil, 100, protowire.BytesType), "a field of another version")
	data := append(protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7), unknown...)
	data = append(data, unknown...)
	a := pool.Get()
	m := new(wrapperspb.Int64Value)
	if err := (arenapb.UnmarshalOptions{Text: arena.TextHeap}).Unmarshal(a, data, m); err != nil || m.Value != 7 {
		t.Errorf("got %v, %v", m, err)
	}
	kept := m.ProtoReflect().GetUnknown()
	a.Free()
	clear(data)
	b := pool.Get()
	defer b.Free()
	arena.Bytes(b, bytes.Repeat([]byte{'?'}, 1<<10))
	if want := append(bytes.Clone(unknown), unknown...); !bytes.Equal(kept, want) {
		t.Errorf("the kept fields are %q, want %q", kept, want)
	}
}
