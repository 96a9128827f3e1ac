package main

import (
	"context"
	"fmt"
	"net"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
	"github.com/heapwright/heapwright/bench/internal/contest"
)

// newCall returns a shape of whole unary calls over the loopback, whose client
// sends bytes that are encoded already. Arenagrpc is a stats handler, unless its
// options say otherwise: gRPC's own cost of having one is shown apart, since most servers have one
// for their metrics.
func newCall(name, about string, m proto.Message) (*contest.Work, error) {
	data, err := proto.Marshal(m)
	if err != nil {
		return nil, err
	}
	s := &contest.Work{Name: name, About: about, Data: data, Rounds: 20}
	pool := new(arena.Pool)
	for _, c := range []struct {
		name    string
		options []grpc.ServerOption
	}{
		{"grpc's codec", nil},
		{"grpc's codec, an empty stats handler", []grpc.ServerOption{grpc.StatsHandler(empty{})}},
		{"**arenagrpc**", arenagrpc.DecodeRequests(pool)},
		{"arenagrpc, text in the arena", arenagrpc.ServerOptions{Text: arena.TextArena}.DecodeRequests(pool)},
		{"arenagrpc, no stats handler", arenagrpc.ServerOptions{NoStatsHandler: true}.DecodeRequests(pool)},
	} {
		client, err := serve(c.options)
		if err != nil {
			return nil, err
		}
		s.Add(c.name, func(data []byte) error {
			return client.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
				data, new(collector.ExportTraceServiceResponse), grpc.ForceCodec(rawCodec{}))
		})
	}
	return s, nil
}

// serve starts a server, which lasts as long as the process, and returns a
// client of it.
func serve(options []grpc.ServerOption) (*grpc.ClientConn, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := grpc.NewServer(options...)
	collector.RegisterTraceServiceServer(server, receiver{})
	go server.Serve(listener)
	return grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
}

type receiver struct {
	collector.UnimplementedTraceServiceServer
}

// Export reads every span.
func (receiver) Export(_ context.Context, r *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	for _, resource := range r.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				if span.Name == "" || len(span.TraceId) != 16 {
					return nil, fmt.Errorf("an invalid span %q", span.Name)
				}
			}
		}
	}
	return new(collector.ExportTraceServiceResponse), nil
}

// empty is a stats handler.
type empty struct{}

func (empty) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (empty) HandleRPC(context.Context, stats.RPCStats)                         {}
func (empty) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (empty) HandleConn(context.Context, stats.ConnStats)                       {}

// rawCodec is a client's codec for encoded requests; it ignores responses.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error)   { return v.([]byte), nil }
func (rawCodec) Unmarshal(_ []byte, _ any) error { return nil }
func (rawCodec) Name() string                    { return "proto" }
