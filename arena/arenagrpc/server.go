package arenagrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/heapwright/heapwright/arena"
)

// CallArenas returns an option of [grpc.NewServer] that puts an arena of the
// pool into the context of every call and frees it at the call's end. A nil
// pool stands for the plain heap.
//
// It installs a [stats.Handler]. Handlers of options before it do not see the
// arena; those after it do, but no longer when the call ends ([stats.End]). They
// must not keep the messages that they are shown.
func CallArenas(pool *arena.Pool) grpc.ServerOption {
	return grpc.StatsHandler(&handler{pool: pool})
}

// A handler is notified when calls begin and end. It is the key of its own state
// in their contexts, so that each of two handlers frees its own arena.
type handler struct {
	pool  *arena.Pool
	codec *codec // nil with CallArenas
}

// A handlerContext is the context of a call to a handler. Its own fields are used by the
// goroutine of the call alone, until it has begun and again when it ends.
type handlerContext struct {
	call
	handler  *handler
	begun    bool
	streamed bool // the client sends several messages

	// received is the message of a unary call. The codec decodes it a second time, and
	// nobody takes its arena, if the client sends a second message.
	received any
}

func (t *handlerContext) Value(key any) any {
	if key == t.handler {
		return t
	}
	return t.call.Value(key)
}

// TagRPC is the first that happens to a call.
func (h *handler) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return &handlerContext{call: call{Context: ctx, pool: h.pool, textInArena: h.codec.textInArena()}, handler: h}
}

// HandleRPC frees the arena at the call's end. A call of an unknown method does
// not begin and has no end (handleStream in grpc's server.go, as of 1.84): its
// status, with the trailer, is its last notification. If the client has gone by
// then, there is not even that, and the arena is left to the collector.
func (h *handler) HandleRPC(ctx context.Context, s stats.RPCStats) {
	c, ok := ctx.Value(h).(*handlerContext)
	if !ok {
		return // a malformed method is refused before TagRPC
	}
	switch s := s.(type) {
	case *stats.Begin:
		c.begun, c.streamed = true, s.IsClientStream
	case *stats.InPayload:
		if h.codec != nil {
			h.codec.deliver(s.Payload, &c.call, c.streamed)
			if !c.streamed {
				c.received = s.Payload
			}
		}
	case *stats.OutHeader:
		c.sendsMetadata(s.Header)
	case *stats.OutTrailer:
		if c.sendsMetadata(s.Trailer); !c.begun {
			c.end()
		}
	case *stats.End:
		if c.sends(status.Convert(s.Error).Message()); c.hasText() && c.servedByHTTP() {
			c.leave()
		}
		s.Error = evaluated(s.Error) // the next handlers get this error
		if c.received != nil {
			h.codec.received.take(c.received).Free()
			c.received = nil
		}
		c.end()
	}
}

func (*handler) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*handler) HandleConn(context.Context, stats.ConnStats)                       {}
