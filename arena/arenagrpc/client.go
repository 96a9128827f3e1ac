package arenagrpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Into returns a call option with which a client decodes the response into a, by
// [arenapb.Unmarshal]. A nil arena stands for the plain heap.
//
//	a := pool.Get()
//	defer a.Free()
//	response, err := client.Export(ctx, request, arenagrpc.Into(a))
//
// The caller owns a. The response lives until a is freed or reset, and so do all
// messages received from a stream. Between two of them, a may be reset if the earlier
// ones are no longer used. Strings and bytes lie in one block of the heap and may be
// kept, see [ClientOptions].Text.
//
// gRPC decodes in the goroutine that invokes the call or receives from the stream.
// That is a use of a: it panics if a was freed, and concurrent calls need an arena
// each. In a server's handler, [arena.FromContext] returns an arena for responses
// that are needed no longer than the request.
func Into(a *arena.Arena) grpc.CallOption { return ClientOptions{}.Into(a) }

// ClientOptions configures [Into]. The zero value is useful.
type ClientOptions struct {
	// Text is the place of strings and bytes. With [arena.TextArena] they die with the
	// arena, which saves one allocation of the size of each message. [arena.TextAlias] is
	// the same here, because gRPC uses the memory of encoded messages again.
	Text arena.Text
}

// Into is the package's [Into] with these options.
func (o ClientOptions) Into(a *arena.Arena) grpc.CallOption {
	return grpc.ForceCodecV2(&intoArena{CodecV2: protobuf(), arena: a, options: arenapb.UnmarshalOptions{Text: copied(o.Text)}})
}

// An intoArena decodes all messages into one arena.
type intoArena struct {
	encoding.CodecV2 // protobuf's
	arena            *arena.Arena
	options          arenapb.UnmarshalOptions
}

func (c *intoArena) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok || c.arena == nil {
		return c.CodecV2.Unmarshal(data, v)
	}
	return c.options.UnmarshalPieces(c.arena, pieces(make([][]byte, 0, few), data), m)
}

// pieces appends the memory of buffers to all.
func pieces(all [][]byte, data mem.BufferSlice) [][]byte {
	for _, buffer := range data {
		all = append(all, buffer.ReadOnlyData())
	}
	return all
}

// few is how many pieces of a message take no allocation.
const few = 4
