package main

import (
	"time"

	"google.golang.org/grpc"
)

// newGRPC returns a server with more options and with bounds for each connection:
// gRPC's own allow any number of calls, and 16 MiB of metadata in each. A storm of
// heapwright has up to 2,500 calls on a connection.
func newGRPC(options ...grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options, grpc.MaxRecvMsgSize(maxBody), grpc.MaxConcurrentStreams(4096),
		grpc.MaxHeaderListSize(64<<10), grpc.ConnectionTimeout(10*time.Second))...)
}
