package arenagrpc

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

type message = wrapperspb.BytesValue

// repeated answers a request with its bytes, often enough to make a message of
// many frames, all of it in the arena.
func repeated(a *arena.Arena, request *message) *message {
	response := arena.New[message](a)
	response.Value = arena.MakeSlice[byte](a, 0, 0)
	for range copies {
		response.Value = arena.Append(a, response.Value, request.Value...)
	}
	return response
}

const copies = 300

func isRepeated(response, request []byte) bool {
	return bytes.Equal(response, bytes.Repeat(request, copies))
}

// description is that of a service as protoc would make it. The handlers of its
// methods are given by unary and stream.
func description(unary func(context.Context, *message) (*message, error), stream func(grpc.ServerStream) error) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: "test",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{
			MethodName: "Unary",
			Handler: func(_ any, ctx context.Context, decode func(any) error, chain grpc.UnaryServerInterceptor) (any, error) {
				request := new(message)
				if err := decode(request); err != nil {
					return nil, err
				}
				do := func(ctx context.Context, r any) (any, error) { return unary(ctx, r.(*message)) }
				if chain == nil {
					return do(ctx, request)
				}
				return chain(ctx, request, &grpc.UnaryServerInfo{FullMethod: "/test/Unary"}, do)
			},
		}},
		Streams: []grpc.StreamDesc{{
			StreamName:    "Stream",
			Handler:       func(_ any, s grpc.ServerStream) error { return stream(s) },
			ServerStreams: true,
			ClientStreams: true,
		}},
	}
}

func answer(ctx context.Context, request *message) (*message, error) {
	return repeated(arena.FromContext(ctx), request), nil
}

// answerAll answers every message, in the same memory.
func answerAll(s grpc.ServerStream) error {
	a := arena.FromContext(s.Context())
	for {
		request := new(message)
		if err := s.RecvMsg(request); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := s.SendMsg(repeated(a, request)); err != nil {
			return err
		}
		a.Reset()
	}
}

// A witness notes all arenas that were put into a context.
type witness struct {
	sync.Mutex
	arenas []*arena.Arena
}

func (w *witness) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	w.Lock()
	defer w.Unlock()
	w.arenas = append(w.arenas, arena.FromContext(ctx))
	return ctx
}
func (*witness) HandleRPC(context.Context, stats.RPCStats)                         {}
func (*witness) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*witness) HandleConn(context.Context, stats.ConnStats)                       {}

// serve runs a server and returns a client of it. The function stop waits for
// the end of all calls and checks that there were n, and that all their arenas
// are freed.
func serve(t *testing.T, service *grpc.ServiceDesc, options ...grpc.ServerOption) (client *grpc.ClientConn, stop func(n int)) {
	t.Helper()
	seen := new(witness)
	server, client := serveOnly(t, service, append(options, CallArenas(new(arena.Pool)), grpc.StatsHandler(seen))...)
	return client, func(n int) {
		t.Helper()
		server.GracefulStop()
		if len(seen.arenas) != n {
			t.Errorf("%d calls had an arena, want %d", len(seen.arenas), n)
		}
		for i, a := range seen.arenas {
			if a == nil || !freed(a) {
				t.Errorf("the arena of call %d was not freed", i)
			}
		}
	}
}

// serveOnly runs a server with these options alone.
func serveOnly(t *testing.T, service *grpc.ServiceDesc, options ...grpc.ServerOption) (*grpc.Server, *grpc.ClientConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	server.RegisterService(service, struct{}{})
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	client, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return server, client
}

// freed reports whether a was freed: then every use panics.
func freed(a *arena.Arena) (yes bool) {
	defer func() { yes = recover() != nil }()
	a.Stats()
	return false
}

func wantCode(t *testing.T, err error, want codes.Code) {
	t.Helper()
	if got := status.Code(err); got != want {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
}
