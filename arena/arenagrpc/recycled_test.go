package arenagrpc

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A spoiler is a pool of buffers that overwrites those it gets back.
type spoiler struct {
	mem.BufferPool
	spoilt atomic.Int64 // bytes
}

func (s *spoiler) Put(b *[]byte) {
	all := (*b)[:cap(*b)]
	for i := range all {
		all[i] = 0xdb
	}
	s.spoilt.Add(int64(len(all)))
	s.BufferPool.Put(b)
}

// gRPC uses its buffers again as soon as the codec has returned.
func TestRecycledBuffers(t *testing.T) {
	for _, d := range []ServerOptions{{}, {Text: arena.TextArena}, {Text: arena.TextAlias}} {
		var pool arena.Pool
		buffers := &spoiler{BufferPool: mem.DefaultBufferPool()}
		client, stop := serve(t, description(func(_ context.Context, request *message) (*message, error) {
			if n := buffers.spoilt.Load(); n < int64(len(request.Value)) {
				t.Errorf("%d bytes were overwritten before the handler runs, less than the request's %d", n, len(request.Value))
			}
			return wrapperspb.Bytes(bytes.Clone(request.Value)), nil
		}, nil), append(d.DecodeRequests(&pool), experimental.BufferPool(buffers))...)
		sizes := []int{2_000, 20_000, 200_000} // smaller buffers are not used again
		for _, n := range sizes {
			buffers.spoilt.Store(0)
			request, response := wrapperspb.Bytes(bytes.Repeat([]byte("request "), n/8+1)), new(message)
			if err := client.Invoke(t.Context(), "/test/Unary", request, response); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(response.Value, request.Value) {
				t.Errorf("%+v, %d bytes: the handler got %.20q…", d, n, response.Value)
			}
		}
		stop(len(sizes))
	}
}
