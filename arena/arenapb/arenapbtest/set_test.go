//go:build protolegacy

package arenapbtest

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/set"
)

func TestGeneratedMessageSetIsFresh(t *testing.T) {
	fresh(t, "set.proto", read(t, "testdata/set.proto"))
}

// The protobuf runtime knows MessageSets with the build tag protolegacy alone. It decodes
// the items of a set when they are read, and until then keeps their encoding.
func TestMessageSet(t *testing.T) {
	id, message := field(2, protowire.VarintType, 100), field(3, protowire.BytesType, 2, 0x0a, 0)
	item := func(parts ...[]byte) []byte {
		data := []byte{1<<3 | byte(protowire.StartGroupType)}
		for _, p := range parts {
			data = append(data, p...)
		}
		return append(data, 1<<3|byte(protowire.EndGroupType))
	}
	// Not as the runtime encodes it: an empty field, and a list that is packed.
	odd := field(3, protowire.BytesType, 6, 0x0a, 0, 0x12, 2, 1, 2)
	for name, data := range map[string][]byte{
		"item":               item(id, message),
		"message first":      item(message, id),
		"odd item":           item(id, odd),
		"two items":          append(item(id, odd), item(id, message)...),
		"two messages":       item(id, odd, message),
		"no message":         item(id),
		"no id":              item(message),
		"unknown id":         item(field(2, protowire.VarintType, 101), message),
		"invalid message":    item(id, field(3, protowire.BytesType, 1, 0x0a)),
		"outside of a set":   field(7, protowire.VarintType, 1),
		"truncated":          item(id, odd)[:5],
		"a field of a set":   append(field(5, protowire.BytesType, 1, 'x'), item(id, odd)...),
		"id and id":          item(id, id, odd),
		"an id of 0":         item(field(2, protowire.VarintType, 0), odd),
		"negative, as it is": item([]byte{2 << 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, odd),
	} {
		t.Run(name, func(t *testing.T) {
			a := arena.NewArena()
			defer a.Free()
			held := protowire.AppendBytes([]byte{0x0a}, data)
			held = append(held, field(2, protowire.BytesType, 1, 'x')...)
			for _, o := range []arenapb.UnmarshalOptions{{}, {Text: arena.TextArena}, {AllowPartial: true}, {NoLazyDecoding: true}, {DiscardUnknown: true}} {
				compareExactly(t, o, a, data, (*set.Set)(nil))
				compareExactly(t, o, a, held, (*set.Holder)(nil))
				compareExactly(t, o, a, append(held, held...), (*set.Holder)(nil))
			}
		})
	}
}
