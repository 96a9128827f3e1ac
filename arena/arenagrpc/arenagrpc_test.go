package arenagrpc

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

type message = wrapperspb.StringValue

// echo answers with memory of the call's arena only.
var echo = grpc.ServiceDesc{
	ServiceName: "test.Echo",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Say", Handler: func(srv any, ctx context.Context, dec func(any) error, i grpc.UnaryServerInterceptor) (any, error) {
		in := new(message)
		if err := dec(in); err != nil {
			return nil, err
		}
		return i(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: "/test.Echo/Say"}, say)
	}}},
	Streams: []grpc.StreamDesc{{StreamName: "Chat", Handler: chat, ServerStreams: true, ClientStreams: true}},
}

func say(ctx context.Context, req any) (any, error) {
	a := arena.FromContext(ctx)
	in := req.(*message).Value
	if strings.HasPrefix(in, "fail") {
		return nil, status.Error(codes.NotFound, arena.Concat(a, "no ", in))
	}
	return &message{Value: arena.Concat(a, "hello ", in)}, nil
}

func chat(_ any, s grpc.ServerStream) error {
	a := arena.FromContext(s.Context())
	s.SetTrailer(metadata.MD{"x-end": arena.Append(a, nil, arena.String(a, "bye"))})
	for {
		in := new(message)
		if err := s.RecvMsg(in); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := s.SendMsg(&message{Value: arena.Concat(a, "hello ", in.Value)}); err != nil {
			return err
		}
	}
}

// serve starts a server on the loopback interface and connects to it.
func serve(t *testing.T, pool *arena.Pool) *grpc.ClientConn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(ServerOptions(pool)...)
	server.RegisterService(&echo, nil)
	go server.Serve(l)
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// TestResponsesOutliveTheHandler is a test of its own under -race: there, a
// response that is marshalled after its arena was freed is reported.
func TestResponsesOutliveTheHandler(t *testing.T) {
	for name, pool := range map[string]*arena.Pool{"arena": new(arena.Pool), "heap": nil} {
		t.Run(name, func(t *testing.T) {
			conn := serve(t, pool)
			var clients sync.WaitGroup
			for c := range 4 {
				clients.Go(func() {
					for i := range 50 {
						if err := call(conn, strings.Repeat(fmt.Sprint(c, "/", i, " "), 100)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

func call(conn *grpc.ClientConn, text string) error {
	ctx := context.Background()
	var out message
	if err := conn.Invoke(ctx, "/test.Echo/Say", &message{Value: text}, &out); err != nil {
		return err
	}
	if out.Value != "hello "+text {
		return fmt.Errorf("got %q", out.Value)
	}
	err := conn.Invoke(ctx, "/test.Echo/Say", &message{Value: "fail " + text}, &out)
	if s := status.Convert(err); s.Code() != codes.NotFound || s.Message() != "no fail "+text {
		return fmt.Errorf("got error %v", err)
	}
	if err := conn.Invoke(ctx, "/test.Echo/Unknown", &message{}, &out); status.Code(err) != codes.Unimplemented {
		return fmt.Errorf("unknown method: %v", err)
	}
	return talk(ctx, conn, text)
}

func talk(ctx context.Context, conn *grpc.ClientConn, text string) error {
	s, err := conn.NewStream(ctx, &echo.Streams[0], "/test.Echo/Chat")
	if err != nil {
		return err
	}
	for i := range 5 {
		said := fmt.Sprint(text, i)
		var out message
		if err := s.SendMsg(&message{Value: said}); err != nil {
			return err
		}
		if err := s.RecvMsg(&out); err != nil || out.Value != "hello "+said {
			return fmt.Errorf("got %q, %v", out.Value, err)
		}
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	if err := s.RecvMsg(new(message)); err != io.EOF {
		return fmt.Errorf("after the end: %v", err)
	}
	if got := s.Trailer().Get("x-end"); len(got) != 1 || got[0] != "bye" {
		return fmt.Errorf("trailer %q", got)
	}
	return nil
}
