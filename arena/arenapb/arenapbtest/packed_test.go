package arenapbtest

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

// Values of one and two bytes are decoded several at a time, and values of other
// lengths may stand anywhere between them.
func TestPackedVarints(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 6))
	var pool arena.Pool
	for range 2000 {
		longest, values := 1+r.IntN(10), []byte(nil)
		for range r.IntN(40) {
			size := 1 + min(r.IntN(longest), r.IntN(longest)) // mostly short
			for range size - 1 {
				values = append(values, byte(r.Uint32())|0x80)
			}
			values = append(values, byte(r.Uint32())>>(1+r.IntN(7))) // may be longer than needed, or exceed 64 bits
		}
		if r.IntN(10) == 0 && len(values) > 0 {
			values = values[:r.IntN(len(values))]
		}
		a := pool.Get()
		for n := protowire.Number(41); n <= 45; n++ { // bool, int32, sint32, uint64, sint64
			data := protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), values)
			compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, data, (*open.Everything)(nil))
		}
		a.Free()
	}
}
