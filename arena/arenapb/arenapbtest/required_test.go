package arenapbtest

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/old"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/opaque"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

// Required fields are missed wherever a message begins, even one that is not in the
// input.
func TestMissingRequiredFields(t *testing.T) {
	name, must := field(1, protowire.BytesType, 1, 'x'), field(1, protowire.VarintType, 1)
	for where, c := range map[string]struct {
		data []byte
		typ  proto.Message
	}{
		"empty message":        {nil, (*old.Old)(nil)},
		"message":              {append(name, field(9, protowire.BytesType, 0)...), (*old.Old)(nil)},
		"value of a map":       {append(name, field(10, protowire.BytesType, 5, 0x0a, 1, 'k', 0x12, 0)...), (*old.Old)(nil)},
		"no value in a map":    {append(name, field(10, protowire.BytesType, 3, 0x0a, 1, 'k')...), (*old.Old)(nil)},
		"empty entry of a map": {append(name, field(10, protowire.BytesType, 0)...), (*old.Old)(nil)},
		"extension":            {append(name, protowire.AppendBytes(protowire.AppendTag(nil, 100, protowire.BytesType), nil)...), (*old.Old)(nil)},
		"only required field":  {field(79, protowire.BytesType, 0), (*open.Everything)(nil)},
		"opaque API":           {append(must, field(2, protowire.BytesType, 0)...), (*opaque.Required)(nil)},
	} {
		t.Run(where, func(t *testing.T) {
			a := arena.NewArena()
			defer a.Free()
			if err := proto.Unmarshal(c.data, c.typ.ProtoReflect().New().Interface()); err == nil {
				t.Fatal("no field is missing")
			}
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, c.data, c.typ)
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena, AllowPartial: true}, a, c.data, c.typ)
		})
	}
}
