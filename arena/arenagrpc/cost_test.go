package arenagrpc

import (
	"bytes"
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// BenchmarkSmallCall measures a unary call with 100 bytes each way, client included.
// gRPC itself spends 18 allocations on the first stats handler.
func BenchmarkSmallCall(b *testing.B) {
	var pool arena.Pool
	for _, c := range []struct {
		name    string
		options []grpc.ServerOption
	}{
		{"default", nil},
		{"an empty stats handler", []grpc.ServerOption{grpc.StatsHandler(empty{})}},
		{"CallArenas", []grpc.ServerOption{CallArenas(&pool)}},
		{"DecodeRequests", DecodeRequests(&pool)},
		{"NoStatsHandler", ServerOptions{NoStatsHandler: true}.DecodeRequests(&pool)},
	} {
		b.Run(c.name, func(b *testing.B) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := grpc.NewServer(c.options...)
			server.RegisterService(description(func(_ context.Context, request *message) (*message, error) { return request, nil }, nil), struct{}{})
			go server.Serve(listener)
			defer server.Stop()
			client, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				b.Fatal(err)
			}
			defer client.Close()
			request, response := wrapperspb.Bytes(bytes.Repeat([]byte{'x'}, 100)), new(message)
			b.ReportAllocs()
			for b.Loop() {
				if err := client.Invoke(b.Context(), "/test/Unary", request, response); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type empty struct{}

func (empty) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (empty) HandleRPC(context.Context, stats.RPCStats)                         {}
func (empty) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (empty) HandleConn(context.Context, stats.ConnStats)                       {}
