//go:build !race && !asan && !arenadebug

package arenagrpc

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// Nobody frees the messages of a client's stream, so an arena for each would cost more
// than the heap.
func TestStreamedMessagesCostNoMoreThanOnTheHeap(t *testing.T) {
	plain := allocatedPerMessage(t)
	for _, d := range []ServerOptions{{}, {Text: arena.TextArena}, {NoStatsHandler: true}, {FreeOnReceive: true}, {NoStatsHandler: true, FreeOnReceive: true}} {
		// The margin is for the events of a stats handler and the first message's arena.
		if got := allocatedPerMessage(t, d.DecodeRequests(new(arena.Pool))...); got > plain*3/2 {
			t.Errorf("%+v: a message allocates %d bytes, with gRPC's codec %d", d, got, plain)
		}
	}
}

// allocatedPerMessage returns the bytes that a streamed message takes in the server and
// its client.
func allocatedPerMessage(t *testing.T, options ...grpc.ServerOption) uint64 {
	t.Helper()
	client, stop := serve(t, description(nil, func(s grpc.ServerStream) error {
		for {
			if err := s.RecvMsg(new(message)); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}), options...)
	stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream")
	if err != nil {
		t.Fatal(err)
	}
	const messages = 2000
	request := wrapperspb.Bytes(bytes.Repeat([]byte("x"), 2*minSize))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range messages {
		if err := stream.SendMsg(request); err != nil {
			t.Fatal(err)
		}
	}
	stream.CloseSend()
	if err := stream.RecvMsg(new(message)); err != io.EOF {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	stop(1)
	return (after.TotalAlloc - before.TotalAlloc) / messages
}
