// Package arenagrpc declares the part of arenagrpc that the tests use.
package arenagrpc

import (
	"google.golang.org/grpc"

	"github.com/heapwright/heapwright/arena"
)

type Decoding struct{ TextInArena, FreeOnReceive, Outermost bool }

func ServerOption(pool *arena.Pool) grpc.ServerOption { return nil }

func ServerOptions(pool *arena.Pool) []grpc.ServerOption { return nil }

func (d Decoding) ServerOptions(pool *arena.Pool) []grpc.ServerOption { return nil }
