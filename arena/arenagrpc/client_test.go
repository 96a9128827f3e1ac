package arenagrpc

import (
	"bytes"
	"context"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// Responses lie in the arena of their call, and their bytes outlive it.
func TestResponsesIntoAnArena(t *testing.T) {
	var pool arena.Pool
	buffers := &spoiler{BufferPool: mem.DefaultBufferPool()} // gRPC uses them again at once
	client, stop := serve(t, description(answer, nil), experimental.BufferPool(buffers))
	kept := map[string][]byte{}
	for _, o := range []ClientOptions{{}, {Text: arena.TextArena}, {Text: arena.TextAlias}} {
		for i := range 20 {
			a := pool.Get()
			request, response := wrapperspb.Bytes(bytes.Repeat([]byte{byte('a' + i)}, 1+i*10)), new(message)
			if err := client.Invoke(t.Context(), "/test/Unary", request, response, o.Into(a)); err != nil || !isRepeated(response.Value, request.Value) {
				t.Errorf("%+v: got %d bytes %.20q, %v", o, len(response.Value), response.Value, err)
			}
			if o.Text != arena.TextHeap && a.Stats().Bytes < int64(len(response.Value)) {
				t.Errorf("the arena holds %d bytes, less than the response", a.Stats().Bytes)
			}
			if o.Text == arena.TextHeap {
				kept[string(request.Value)] = response.Value
			}
			a.Free()
		}
	}
	for request, value := range kept {
		if !isRepeated(value, []byte(request)) {
			t.Errorf("kept %d bytes, which are %.20q now", len(value), value)
		}
	}
	response := new(message)
	if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("x")), response, Into(nil)); err != nil || !isRepeated(response.Value, []byte("x")) {
		t.Errorf("without an arena: got %d bytes, %v", len(response.Value), err)
	}
	stop(61)
}

// The messages of a stream live until the arena is reset.
func TestStreamIntoAnArena(t *testing.T) {
	var pool arena.Pool
	client, stop := serve(t, description(nil, answerAll))
	a := pool.Get()
	stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream", Into(a))
	if err != nil {
		t.Fatal(err)
	}
	var received []*message
	for i := range 30 {
		if err := stream.SendMsg(wrapperspb.Bytes([]byte{byte(i)})); err != nil {
			t.Fatal(err)
		}
		m := new(message)
		if err := stream.RecvMsg(m); err != nil {
			t.Fatal(err)
		}
		received = append(received, m)
		if i%10 == 9 {
			for j, m := range received {
				if !isRepeated(m.Value, []byte{byte(i - 9 + j)}) {
					t.Errorf("message %d is %.20q", i-9+j, m.Value)
				}
			}
			received = nil
			a.Reset()
		}
	}
	stream.CloseSend()
	if err := stream.RecvMsg(new(message)); err != io.EOF {
		t.Errorf("the stream ends with %v", err)
	}
	a.Free()
	stop(1)
}

// Calls that fail leave the arena usable, whether the server refuses them or the response
// is no message of its type.
func TestFailedCallsIntoAnArena(t *testing.T) {
	var pool arena.Pool
	client, stop := serve(t, description(func(_ context.Context, request *message) (*message, error) {
		if string(request.Value) == "refuse" {
			return nil, status.Error(codes.NotFound, "nothing here")
		}
		return request, nil
	}, nil))
	a := pool.Get()
	defer a.Free()
	err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("refuse")), new(message), Into(a))
	wantCode(t, err, codes.NotFound)
	err = client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("\xff\xff")), new(structpb.Struct), Into(a))
	wantCode(t, err, codes.Internal)
	response := new(message)
	if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("x")), response, Into(a)); err != nil || string(response.Value) != "x" {
		t.Errorf("after failed calls: got %v, %v", response, err)
	}
	stop(3)
}
