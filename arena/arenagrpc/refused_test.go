//go:build !race && !asan && !arenadebug

package arenagrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A refusedCall is a kind of call that ends before its handler, or in an unusual way.
type refusedCall struct {
	name     string
	method   string
	messages [][]byte
	open     bool // the client cancels the call when its messages were received
	call     []grpc.CallOption
	server   []grpc.ServerOption
	handle   func(ctx context.Context) error
	direct   bool // the method ignores its interceptors
}

// However calls are refused, memory stays bounded: nothing holds their arenas across
// collections, each of which would let the heap grow by as much as it kept.
func TestMemoryOfRefusedCallsIsBounded(t *testing.T) {
	const calls, bound = 100, 50 << 20
	valid, err := proto.Marshal(wrapperspb.Bytes(make([]byte, 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	size := len(valid)
	cut := append(valid[:len(valid):len(valid)], 0x0a, 0xff)
	refused := status.Error(codes.PermissionDenied, "refused")
	for _, r := range []refusedCall{
		{name: "second message of a unary call", messages: [][]byte{valid, valid}},
		{name: "broken second message of a unary call", messages: [][]byte{valid, cut}},
		{name: "second message of a server's stream", method: "Down", messages: [][]byte{valid, valid}},
		{name: "unary call without an end", messages: [][]byte{valid}, open: true},
		{name: "stream without an end", method: "Up", messages: [][]byte{valid, valid}, open: true},
		{name: "broken message", messages: [][]byte{cut}},
		{name: "broken message of a stream", method: "Up", messages: [][]byte{valid, cut}},
		{name: "message over the limit", messages: [][]byte{valid}, server: []grpc.ServerOption{grpc.MaxRecvMsgSize(size - 1)}},
		{name: "second message over the limit", messages: [][]byte{valid, append(valid, valid...)}, server: []grpc.ServerOption{grpc.MaxRecvMsgSize(size)}},
		{name: "unknown method", method: "Unknown", messages: [][]byte{valid}},
		{name: "compressed", messages: [][]byte{valid, valid}, call: []grpc.CallOption{grpc.UseCompressor(gzip.Name)}},
		{name: "interceptor before the handler", messages: [][]byte{valid}, server: []grpc.ServerOption{
			grpc.ChainUnaryInterceptor(func(context.Context, any, *grpc.UnaryServerInfo, grpc.UnaryHandler) (any, error) { return nil, refused }),
		}},
		{name: "method without interceptors", messages: [][]byte{valid}, direct: true},
		{name: "handler's error", messages: [][]byte{valid}, handle: func(context.Context) error { return errors.New("refused") }},
		{name: "recovered panic", messages: [][]byte{valid}, handle: func(context.Context) error { panic("refused") }, server: []grpc.ServerOption{
			grpc.ChainUnaryInterceptor(func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (_ any, err error) {
				defer func() { recover(); err = refused }()
				return next(ctx, request)
			}),
		}},
		{name: "handler that waits for the client to go", messages: [][]byte{valid}, open: true, handle: func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}},
		{name: "context of another", messages: [][]byte{valid}, server: []grpc.ServerOption{grpc.StatsHandler(stranger{})}},
	} {
		for _, d := range []ServerOptions{{Text: arena.TextArena}, {Text: arena.TextArena, NoStatsHandler: true}} {
			t.Run(fmt.Sprintf("%s, %+v", r.name, d), func(t *testing.T) {
				options := append(d.DecodeRequests(new(arena.Pool)), r.server...)
				seen := make(arrivals, len(r.messages))
				if r.open {
					options = append(options, grpc.StatsHandler(seen))
				}
				_, client := serveOnly(t, r.service(), options...)
				runtime.GC()
				runtime.GC()
				peak := uint64(0)
				for range calls {
					r.send(t, client, seen)
					peak = max(peak, heap())
				}
				if t.Logf("peak of the heap: %d MiB", peak>>20); peak > bound {
					t.Errorf("the heap reached %d MiB, want at most %d", peak>>20, bound>>20)
				}
			})
		}
	}
}

// A stranger is a stats handler that drops the values of contexts.
type stranger struct{ empty }

func (stranger) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	fresh, cancel := context.WithCancel(context.Background())
	context.AfterFunc(ctx, cancel)
	return fresh
}

// arrivals is a stats handler that notes the messages that have been received.
type arrivals chan struct{}

func (a arrivals) HandleRPC(_ context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.InPayload); ok {
		a <- struct{}{}
	}
}
func (arrivals) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (arrivals) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (arrivals) HandleConn(context.Context, stats.ConnStats)                       {}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (r refusedCall) service() *grpc.ServiceDesc {
	handle := func(ctx context.Context, _ any) (any, error) {
		if r.handle != nil {
			return nil, r.handle(ctx)
		}
		return new(message), nil
	}
	service := description(nil, nil)
	service.Methods[0].Handler = func(_ any, ctx context.Context, decode func(any) error, chain grpc.UnaryServerInterceptor) (any, error) {
		request := new(message)
		if err := decode(request); err != nil {
			return nil, err
		}
		if chain == nil || r.direct {
			return handle(ctx, request)
		}
		return chain(ctx, request, &grpc.UnaryServerInfo{FullMethod: "/test/Unary"}, handle)
	}
	receive := func(_ any, s grpc.ServerStream) error {
		for {
			if err := s.RecvMsg(new(message)); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	service.Streams = []grpc.StreamDesc{
		{StreamName: "Up", Handler: receive, ClientStreams: true},
		{StreamName: "Down", Handler: receive, ServerStreams: true},
	}
	return service
}

func (r refusedCall) send(t *testing.T, client *grpc.ClientConn, seen arrivals) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	method := r.method
	if method == "" {
		method = "Unary"
	}
	stream, err := client.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/"+method, append(r.call, grpc.ForceCodec(rawCodec{}))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.messages {
		if err := stream.SendMsg(m); err == io.EOF {
			break // it was refused
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if r.open {
		for range r.messages {
			<-seen
		}
		return
	}
	stream.CloseSend()
	for err == nil {
		err = stream.RecvMsg(new(message))
	}
}
