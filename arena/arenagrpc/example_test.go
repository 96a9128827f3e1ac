package arenagrpc_test

import (
	"context"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
)

var pool arena.Pool // one for the process: calls share the memory

// serve registers a service, and returns a client that is connected to it.
func serve(server *grpc.Server) (*grpc.ClientConn, error) {
	healthpb.RegisterHealthServer(server, health.NewServer())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go server.Serve(listener)
	return grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
}

// Every request is decoded into an arena, which is freed when the response was encoded.
func ExampleDecodeRequests() {
	server := grpc.NewServer(arenagrpc.DecodeRequests(&pool)...)
	defer server.Stop()
	client, err := serve(server)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	response, err := healthpb.NewHealthClient(client).Check(context.Background(), new(healthpb.HealthCheckRequest))
	fmt.Println(response.GetStatus(), err)
	// Output: SERVING <nil>
}

// Handlers that keep no text let it die with the request, too.
func ExampleServerOptions() {
	options := arenagrpc.ServerOptions{Text: arena.TextArena}
	server := grpc.NewServer(options.DecodeRequests(&pool)...)
	defer server.Stop()
}

// Handlers that build their responses in an arena need no more than one for each call.
func ExampleCallArenas() {
	server := grpc.NewServer(arenagrpc.CallArenas(&pool))
	defer server.Stop()
}

// A client owns the arena that a response is decoded into.
func ExampleInto() {
	server := grpc.NewServer()
	defer server.Stop()
	conn, err := serve(server)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	client, ctx, request := healthpb.NewHealthClient(conn), context.Background(), new(healthpb.HealthCheckRequest)

	a := pool.Get()
	defer a.Free()
	response, err := client.Check(ctx, request, arenagrpc.Into(a))
	fmt.Println(response.GetStatus(), err)
	// Output: SERVING <nil>
}
