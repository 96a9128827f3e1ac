package main

import (
	"context"
	"net/http"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
	"github.com/heapwright/heapwright/arena/arenapb/otlphttp"
)

// newArena is the variant whose requests live in arenas. Counts copy the text
// that they keep, so that text can be in the arena, too.
func newArena(c *counts) receiver {
	pool := new(arena.Pool)
	server := newGRPC(arenagrpc.ServerOptions{Text: arena.TextArena}.DecodeRequests(pool)...)
	register(server, c)
	return receiver{
		counts:  c,
		grpc:    server,
		traces:  arenaHandler(pool, traceService{counts: c}.Export),
		metrics: arenaHandler(pool, metricsService{counts: c}.Export),
		logs:    arenaHandler(pool, logsService{counts: c}.Export),
	}
}

// arenaHandler serves OTLP/HTTP.
func arenaHandler[Request, Response proto.Message](pool *arena.Pool, export func(context.Context, Request) (Response, error)) http.Handler {
	return otlphttp.NewHandler(func(ctx context.Context, request Request) (Response, error) {
		response, err := export(ctx, request)
		if err != nil {
			err = &otlphttp.Error{Status: http.StatusBadRequest, Message: status.Convert(err).Message()}
		}
		return response, err
	}, pool, otlphttp.Options{MaxBytes: maxBody, Text: arena.TextArena})
}
