package arenagrpc

import (
	"bytes"
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

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
		client, stop := serve(t, description(func(ctx context.Context, request *message) (*message, error) {
			// The goroutine that reads the connection may give back the last buffer a moment later.
			for buffers.spoilt.Load() < int64(len(request.Value)) {
				if ctx.Err() != nil {
					t.Errorf("%d bytes are overwritten, less than the request's %d", buffers.spoilt.Load(), len(request.Value))
					break
				}
				runtime.Gosched()
			}
			return wrapperspb.Bytes(bytes.Clone(request.Value)), nil
		}, nil), append(d.DecodeRequests(&pool), experimental.BufferPool(buffers))...)
		sizes := []int{2_000, 20_000, 200_000} // smaller buffers are not used again
		for _, n := range sizes {
			buffers.spoilt.Store(0)
			request, response := wrapperspb.Bytes(bytes.Repeat([]byte("request "), n/8+1)), new(message)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if err := client.Invoke(ctx, "/test/Unary", request, response); err != nil {
				t.Error(err)
			}
			cancel()
			if !bytes.Equal(response.Value, request.Value) {
				t.Errorf("%+v, %d bytes: the handler got %.20q…", d, n, response.Value)
			}
		}
		stop(len(sizes))
	}
}
