package arenagrpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

const clients, rounds = 8, 8

// concurrently runs call with a request of its own for each round of each client.
func concurrently(call func(request *message)) {
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for j := range rounds {
				call(wrapperspb.Bytes(bytes.Repeat(fmt.Appendf(nil, "%d.%d,", i, j), i*i+1)))
			}
		})
	}
	all.Wait()
}

func TestUnary(t *testing.T) {
	client, stop := serve(t, description(answer, nil))
	concurrently(func(request *message) {
		response := new(message)
		err := client.Invoke(t.Context(), "/test/Unary", request, response)
		if err != nil || !isRepeated(response.Value, request.Value) {
			t.Errorf("%.20q: %d bytes %.20q, %v", request.Value, len(response.Value), response.Value, err)
		}
	})
	stop(clients * rounds)
}

// Interceptors may use the response after the handler.
func TestUnaryWithInterceptorAndCompression(t *testing.T) {
	client, stop := serve(t, description(answer, nil), grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			response, err := next(ctx, request)
			return repeated(arena.FromContext(ctx), &message{Value: response.(*message).Value[:1]}), err
		}))
	concurrently(func(request *message) {
		response := new(message)
		err := client.Invoke(t.Context(), "/test/Unary", request, response, grpc.UseCompressor(gzip.Name))
		if err != nil || !isRepeated(response.Value, request.Value[:1]) {
			t.Errorf("%.20q: %d bytes %.20q, %v", request.Value, len(response.Value), response.Value, err)
		}
	})
	stop(clients * rounds)
}

func TestStream(t *testing.T) {
	client, stop := serve(t, description(nil, answerAll))
	concurrently(func(request *message) {
		stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream")
		if err != nil {
			t.Error(err)
			return
		}
		const messages = 4 // some of them on their way at the same time
		for range messages {
			if err := stream.SendMsg(request); err != nil {
				t.Error(err)
			}
		}
		if err := stream.CloseSend(); err != nil {
			t.Error(err)
		}
		for range messages {
			response := new(message)
			if err := stream.RecvMsg(response); err != nil || !isRepeated(response.Value, request.Value) {
				t.Errorf("%.20q: %d bytes %.20q, %v", request.Value, len(response.Value), response.Value, err)
			}
		}
		if err := stream.RecvMsg(new(message)); err == nil {
			t.Error("the stream goes on")
		}
	})
	stop(clients * rounds)
}

func TestFailedCallsFree(t *testing.T) {
	fail := errors.New("an error")
	client, stop := serve(t, description(
		func(ctx context.Context, request *message) (*message, error) {
			answer(ctx, request)
			if bytes.HasPrefix(request.Value, []byte("panic")) {
				panic(fail)
			}
			return nil, status.Errorf(codes.NotFound, "no %s", arena.Bytes(arena.FromContext(ctx), request.Value))
		},
		func(s grpc.ServerStream) error { return s.SendMsg("this is no protobuf message") },
	), grpc.UnaryInterceptor(
		func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (_ any, err error) {
			defer func() {
				if r := recover(); r != nil {
					err = status.Errorf(codes.Internal, "panic: %v", r)
				}
			}()
			return next(ctx, request)
		}))
	invoke := func(method, request string) error {
		return client.Invoke(t.Context(), method, wrapperspb.Bytes([]byte(request)), new(message))
	}
	err := invoke("/test/Unary", "gopher")
	wantCode(t, err, codes.NotFound)
	if got := status.Convert(err).Message(); got != "no gopher" {
		t.Errorf("got the message %q", got)
	}
	wantCode(t, invoke("/test/Unary", "panic"), codes.Internal)
	wantCode(t, invoke("/test/Stream", ""), codes.Internal)
	wantCode(t, invoke("/test/Unknown", ""), codes.Unimplemented)
	wantCode(t, invoke("/unknown/Unary", ""), codes.Unimplemented)
	wantCode(t, invoke("/malformed", ""), codes.Unimplemented)
	stop(5) // the malformed call has none
}

// A handler that continues after its client has gone still has its arena.
func TestCancelledCallFrees(t *testing.T) {
	started, gone := make(chan struct{}), make(chan struct{})
	client, stop := serve(t, description(func(ctx context.Context, request *message) (*message, error) {
		close(started)
		<-ctx.Done()
		<-gone
		return answer(ctx, request)
	}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-started
		cancel()
	}()
	err := client.Invoke(ctx, "/test/Unary", wrapperspb.Bytes([]byte("x")), new(message))
	wantCode(t, err, codes.Canceled)
	close(gone)
	stop(1)
}

func TestTwoPools(t *testing.T) {
	var other arena.Pool
	client, stop := serve(t, description(answer, answerAll), CallArenas(&other))
	if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("x")), new(message)); err != nil {
		t.Error(err)
	}
	stop(1)
}

func TestNilPoolIsTheHeap(t *testing.T) {
	h := &handler{}
	ctx := h.TagRPC(t.Context(), nil)
	if a := arena.FromContext(ctx); a != nil {
		t.Error("there is an arena")
	}
}
