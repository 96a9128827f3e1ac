package arenagrpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Into returns an option of one call of a client, which decodes the response into a by
// [arenapb.Unmarshal]. A nil arena stands for the plain heap.
//
//	a := pool.Get()
//	defer a.Free()
//	response, err := client.Export(ctx, request, arenagrpc.Into(a))
//
// The response lives until a is freed or reset: the caller, who owns a, decides when.
// Its strings and bytes lie in one block of the heap and may be kept, see
// [Decoding.TextInArena]. All messages that are received from a stream live equally
// long. Between two of them, when all before are done with, a may be reset.
//
// As gRPC decodes in the goroutine that invokes the call, or that receives from the
// stream, this counts as a use of a there, and panics if a was freed. Calls that run at
// the same time need an arena each. In a handler of a server, [arena.FromContext] is an
// arena for responses that are needed no longer than the request.
func Into(a *arena.Arena) grpc.CallOption { return Decoding{}.Into(a) }

// Into is the package's [Into] with these options. FreeOnReceive has no effect
// on clients.
func (d Decoding) Into(a *arena.Arena) grpc.CallOption {
	c := &intoArena{CodecV2: encoding.GetCodecV2("proto"), arena: a}
	if !d.TextInArena {
		c.options.Text = arenapb.TextHeap
	}
	return grpc.ForceCodecV2(c)
}

// An intoArena decodes all messages into one arena.
type intoArena struct {
	encoding.CodecV2 // of protobuf
	arena            *arena.Arena
	options          arenapb.UnmarshalOptions
}

func (c *intoArena) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok || c.arena == nil {
		return c.CodecV2.Unmarshal(data, v)
	}
	return c.options.UnmarshalPieces(c.arena, pieces(data), m)
}

// pieces returns the memory of buffers.
func pieces(data mem.BufferSlice) [][]byte {
	all := make([][]byte, len(data))
	for i, buffer := range data {
		all[i] = buffer.ReadOnlyData()
	}
	return all
}
