// Package arenagrpc declares the part of arenagrpc that the tests use.
package arenagrpc

import (
	"google.golang.org/grpc"

	"github.com/heapwright/heapwright/arena"
)

type ServerOptions struct {
	Text                          arena.Text
	FreeOnReceive, NoStatsHandler bool
}

func CallArenas(pool *arena.Pool) grpc.ServerOption { return nil }

func DecodeRequests(pool *arena.Pool) []grpc.ServerOption { return nil }

func (o ServerOptions) DecodeRequests(pool *arena.Pool) []grpc.ServerOption { return nil }
