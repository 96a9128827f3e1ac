package arenagrpc

import (
	"reflect"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// DecodeRequests returns two options for [grpc.NewServer]: the option that [CallArenas]
// returns, and one that decodes the messages of clients into arenas of the pool, by
// [arenapb.Unmarshal]. They are for servers that speak only protobuf. The arenas of
// calls come from a second pool with the same Retain, so set Retain first.
//
// The request of a unary call dies when the call ends, after the response was
// encoded. Its strings and bytes lie in one block of the heap and may be kept, see
// [ServerOptions].Text. A handler that keeps more keeps a copy by [arenapb.Promote].
//
// The messages of a client's stream are left to the collector: a goroutine that
// receives them may outlive the handler, as in etcd's Watch (its
// etcdserver/api/v3rpc/watch.go). Once clients have streamed a message of a type,
// messages of that type are decoded onto the heap, in unary calls too. See
// [ServerOptions].FreeOnReceive.
func DecodeRequests(pool *arena.Pool) []grpc.ServerOption {
	return ServerOptions{}.DecodeRequests(pool)
}

// ServerOptions configures [DecodeRequests]. The zero value is useful.
type ServerOptions struct {
	// Text is the place of strings and bytes. With [arena.TextArena] they die with their
	// message, which saves one allocation of the size of each message. [arena.TextAlias]
	// is the same here, because gRPC uses the memory of encoded messages again.
	Text arena.Text

	// FreeOnReceive ends the life of a message of a client's stream when the next
	// one is received, and the life of the last one with the call. A goroutine that
	// receives must have ended when the handler returns.
	FreeOnReceive bool

	// NoStatsHandler ends calls in interceptors around all others instead of a stats
	// handler. It is for servers that have no stats handler: the first one costs
	// each call about a microsecond and 18 allocations.
	//
	// The options take the places of [grpc.UnaryInterceptor] and
	// [grpc.StreamInterceptor], and NewServer panics if they are given too. Give
	// other interceptors to [grpc.ChainUnaryInterceptor] and
	// [grpc.ChainStreamInterceptor]. With another codec option after these, unary calls
	// fail. Stats handlers are not shown the responses of unary calls, and the context
	// that they are given has no arena.
	NoStatsHandler bool
}

// DecodeRequests is the package's [DecodeRequests] with these options.
func (o ServerOptions) DecodeRequests(pool *arena.Pool) []grpc.ServerOption {
	c := o.codec(pool)
	var calls *arena.Pool
	if pool != nil {
		// With one pool for both, a call could get the arena of an earlier, large
		// message, and hold its memory until the call ends.
		calls = &arena.Pool{Retain: pool.Retain}
	}
	if o.NoStatsHandler {
		return (&outermost{codec: c, calls: calls}).options()
	}
	h := &handler{pool: calls, codec: c}
	return []grpc.ServerOption{grpc.ForceServerCodecV2(c), grpc.StatsHandler(h)}
}

func (o ServerOptions) codec(pool *arena.Pool) *codec {
	return &codec{
		CodecV2:       protobuf(),
		pools:         newPools(pool),
		options:       arenapb.UnmarshalOptions{Text: copied(o.Text)},
		freeOnReceive: o.FreeOnReceive,
	}
}

// copied returns a place of text that does not refer to the encoded message, whose memory
// gRPC uses again.
func copied(text arena.Text) arena.Text {
	if text == arena.TextAlias {
		return arena.TextArena
	}
	return text
}

// A codec decodes each message into an arena of its own. A codec does not learn to
// which call a message belongs. So the codec leaves the arena in received, where the call
// finds it by the address of the message.
type codec struct {
	encoding.CodecV2        // encodes, and decodes onto the heap
	pools            *pools // nil decodes everything onto the heap
	options          arenapb.UnmarshalOptions
	received         inbox
	freeOnReceive    bool

	// streamed holds each reflect.Type of the messages that clients have streamed, unless
	// freeOnReceive is set. Nobody frees the arenas of these messages, and an arena that
	// is not used again costs more than the heap.
	streamed sync.Map
}

func (c *codec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok || c.pools == nil || data.Len() < minSize || c.received.full() || c.isStreamed(m) {
		return c.CodecV2.Unmarshal(data, v)
	}
	a := c.pools.forSize(data.Len()).Get()
	if err := c.options.UnmarshalPieces(a, pieces(make([][]byte, 0, few), data), m); err != nil {
		proto.Reset(m) // the values are freed
		a.Free()
		return err
	}
	c.received.put(m, a, data.Len())
	return nil
}

// textInArena reports whether strings of messages may lie in their arenas. A nil codec
// decodes nothing.
func (c *codec) textInArena() bool { return c != nil && c.options.Text != arena.TextHeap }

// isStreamed reports whether clients have streamed messages of m's type.
func (c *codec) isStreamed(m any) bool {
	_, yes := c.streamed.Load(reflect.TypeOf(m))
	return yes
}

// deliver passes the arena of a message to the call that has received it. If the client
// streams its messages, the call gets the arena only with freeOnReceive. Otherwise the
// garbage collector frees it, because the goroutine that receives such messages may
// outlive the call, and later messages of the type are decoded onto the heap.
func (c *codec) deliver(m any, to *call, streamed bool) {
	switch {
	case !streamed || c.freeOnReceive:
		to.receive(c.received.take(m))
	case !c.isStreamed(m):
		if c.received.take(m) != nil {
			c.streamed.Store(reflect.TypeOf(m), nil)
		}
	}
}
