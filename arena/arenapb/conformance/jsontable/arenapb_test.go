//go:build upstream

// Package protojson_test runs the test of protojson.Unmarshal with arenapb in its place.
// Its file is laid over this folder, see TestJSONTable in the folder above.
package protojson_test

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// unmarshal decodes data with arenapb. If it refuses the input, the error is that of
// protojson, whose text the test asks for.
func unmarshal(o protojson.UnmarshalOptions, data []byte, m proto.Message) error {
	decode := arenapb.UnmarshalJSONOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, Resolver: o.Resolver, RecursionLimit: o.RecursionLimit,
	}
	var pool arena.Pool
	for _, text := range []arena.Text{arena.TextAlias, arena.TextHeap, arena.TextArena} {
		decode.Text = text
		other := m.ProtoReflect().New().Interface()
		err := decode.Unmarshal(pool.Get(), data, m)
		if otherErr := o.Unmarshal(data, other); (err == nil) != (otherErr == nil) {
			return fmt.Errorf("arenapb returns the error %v, protojson %v", err, otherErr)
		} else if err != nil {
			return otherErr
		}
	}
	return nil
}
