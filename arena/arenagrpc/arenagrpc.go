// Package arenagrpc gives every RPC of a gRPC server an arena that ends with it.
//
// gRPC marshals a response after the handler, and every interceptor, has
// returned. So the arena is made by an interceptor but freed by a stats handler,
// at the event that ends the RPC. It is a module of its own, so that users of
// arenas do not depend on gRPC.
//
// Metadata of a unary RPC is sent later still: values that grpc.SetHeader and
// grpc.SetTrailer get must be copied to the heap ([arena.Clone]) if they lie in
// the arena. Messages of errors, and the metadata of a stream, are copied here.
// A codec that does not copy what it marshals, as the one for protocol buffers
// does, must not be used with responses in an arena.
package arenagrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"github.com/heapwright/heapwright/arena"
)

// ServerOptions makes a server give each RPC an arena of pool in the context of
// its handler, where [arena.FromContext] finds it. With a nil pool the arena is
// nil, the heap. All options are needed; they go together with others.
func ServerOptions(pool *arena.Pool) []grpc.ServerOption {
	h := handler{pool}
	return []grpc.ServerOption{
		grpc.StatsHandler(h),
		grpc.ChainUnaryInterceptor(h.unary),
		grpc.ChainStreamInterceptor(h.stream),
	}
}

type handler struct {
	pool *arena.Pool
}

// An rpc is what the stats handler and the interceptors of one call share. They
// run one after the other, in the goroutine of the call.
type rpc struct {
	arena *arena.Arena
}

type rpcKey struct{}

// TagRPC prepares the context of a call. The arena is made later, by the
// interceptor: not every tagged call gets as far, or ends.
func (h handler) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, rpcKey{}, new(rpc))
}

// HandleRPC frees the arena when the call has ended: the response is marshalled
// and handed to the transport.
func (h handler) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if _, ok := event.(*stats.End); !ok {
		return
	}
	if r, ok := ctx.Value(rpcKey{}).(*rpc); ok {
		r.arena.Free()
		r.arena = nil
	}
}

// TagConn does nothing.
func (h handler) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn does nothing.
func (h handler) HandleConn(context.Context, stats.ConnStats) {}

// begin makes the arena of a call.
func (h handler) begin(ctx context.Context) context.Context {
	r, ok := ctx.Value(rpcKey{}).(*rpc)
	if !ok { // a transport without stats: the heap is right, only slower
		return ctx
	}
	r.arena = h.pool.Get()
	return arena.NewContext(ctx, r.arena)
}

func (h handler) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	resp, err := next(h.begin(ctx), req)
	return resp, detached(err)
}

func (h handler) stream(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	return detached(next(srv, &stream{s, h.begin(s.Context())}))
}
