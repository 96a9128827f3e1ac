package arenagrpc_test

import (
	"context"

	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
)

var pool arena.Pool

func ExampleServerOptions() {
	server := grpc.NewServer(arenagrpc.ServerOptions(&pool)...)
	defer server.Stop()
}

func ExampleInto() {
	check := func(ctx context.Context, client healthpb.HealthClient, request *healthpb.HealthCheckRequest) (bool, error) {
		a := pool.Get()
		defer a.Free()
		response, err := client.Check(ctx, request, arenagrpc.Into(a))
		return response.GetStatus() == healthpb.HealthCheckResponse_SERVING, err
	}
	_ = check
}
