package arenagrpc

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// Requests are right while their call runs, and their bytes are right when it
// has ended.
func TestDecodedRequests(t *testing.T) {
	var pool arena.Pool
	var kept sync.Map
	client, stop := serve(t, description(func(ctx context.Context, request *message) (*message, error) {
		kept.Store(string(request.Value), request.Value)
		return answer(ctx, request)
	}, answerAll), DecodeRequests(&pool)...)
	concurrently(func(request *message) {
		request.Value = bytes.Repeat(request.Value, 5) // some messages are small, others not
		response := new(message)
		err := client.Invoke(t.Context(), "/test/Unary", request, response)
		if err != nil || !isRepeated(response.Value, request.Value) {
			t.Errorf("%.20q: %d bytes %.20q, %v", request.Value, len(response.Value), response.Value, err)
		}
	})
	stop(clients * rounds)
	n := 0
	kept.Range(func(text, value any) bool {
		if n++; text != string(value.([]byte)) {
			t.Errorf("kept %.20q, which is now %.20q", text, value)
		}
		return true
	})
	if n != clients*rounds {
		t.Errorf("kept %d requests, want %d", n, clients*rounds)
	}
}

// A goroutine that receives the messages of a client may outlive the handler.
func TestReceivedMessagesOutliveTheHandler(t *testing.T) {
	for _, d := range []ServerOptions{{Text: arena.TextArena}, {Text: arena.TextArena, NoStatsHandler: true}} {
		var kept []*message
		var pool arena.Pool
		const servers = 4 // later ones use the memory of those that were freed
		for i := range servers {
			// The first message that is streamed to a server has an arena.
			client, stop := serve(t, description(nil, func(s grpc.ServerStream) error {
				kept = append(kept, new(message))
				return s.RecvMsg(kept[len(kept)-1])
			}), d.DecodeRequests(&pool)...)
			stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream")
			if err != nil {
				t.Fatal(err)
			}
			if err := stream.SendMsg(wrapperspb.Bytes(bytes.Repeat([]byte{byte('a' + i)}, 2*minSize))); err != nil {
				t.Error(err)
			}
			if err := stream.RecvMsg(new(message)); err != io.EOF {
				t.Error(err)
			}
			stop(1)
		}
		for i, m := range kept {
			if want := bytes.Repeat([]byte{byte('a' + i)}, 2*minSize); !bytes.Equal(m.Value, want) {
				t.Errorf("%+v: message %d is now %.20q…", d, i, m.Value)
			}
		}
	}
}

// A handler may keep the messages of a stream, unless FreeOnReceive frees them.
func TestDecodedStream(t *testing.T) {
	for _, d := range []ServerOptions{{}, {FreeOnReceive: true}, {Text: arena.TextArena}, {NoStatsHandler: true}, {NoStatsHandler: true, FreeOnReceive: true}} {
		var pool arena.Pool
		client, stop := serve(t, description(nil, func(s grpc.ServerStream) error {
			var all []*message
			for {
				m := new(message)
				if err := s.RecvMsg(m); err == io.EOF {
					break
				} else if err != nil {
					return err
				}
				if all = append(all, m); d.FreeOnReceive {
					all[0], all = m, all[:1]
				}
			}
			var joined []byte
			for _, m := range all {
				joined = append(joined, m.Value...)
			}
			return s.SendMsg(wrapperspb.Bytes(joined))
		}), d.DecodeRequests(&pool)...)
		stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream")
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for i := range 20 {
			value := bytes.Repeat([]byte{byte('a' + i)}, 100*i)
			if err := stream.SendMsg(wrapperspb.Bytes(value)); err != nil {
				t.Error(err)
			}
			if want = append(want, value...); d.FreeOnReceive {
				want = value
			}
		}
		if err := stream.CloseSend(); err != nil {
			t.Error(err)
		}
		response := new(message)
		if err := stream.RecvMsg(response); err != nil || !bytes.Equal(response.Value, want) {
			t.Errorf("%+v: got %d bytes, %v; want %d", d, len(response.Value), err, len(want))
		}
		stop(1)
	}
}

// A message that cannot be decoded, and a unary call with a second message, leave no
// arena behind.
func TestRefusedRequestsAreForgotten(t *testing.T) {
	s := newSpy(ServerOptions{})
	c := s.codec
	for name, options := range map[string][]grpc.ServerOption{
		"stats handler": {grpc.ForceServerCodecV2(c), grpc.StatsHandler(&handler{pool: new(arena.Pool), codec: c})},
		"outermost":     s.options(),
	} {
		c.received.aging.Store(true) // age is called by this test alone
		client, stop := serve(t, description(answer, nil), options...)
		err := client.Invoke(t.Context(), "/test/Unary", append([]byte("\x0a\xff\x7f"), make([]byte, minSize)...), new(message), grpc.ForceCodec(rawCodec{}))
		wantCode(t, err, codes.Internal)
		stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true}, "/test/Unary")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := stream.SendMsg(wrapperspb.Bytes(make([]byte, minSize))); err != nil && err != io.EOF {
				t.Error(err)
			}
		}
		stream.CloseSend()
		if err := stream.RecvMsg(new(message)); err == nil {
			t.Error("a unary call with two requests was answered")
		}
		if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("x")), new(message)); err != nil {
			t.Error(err)
		}
		stop(3)
		if n := c.received.len(); name == "stats handler" && n != 0 {
			t.Errorf("%s: %d arenas have outlived their calls", name, n)
		}
		c.received.age()
		c.received.age()
		if n := c.received.len(); n != 0 {
			t.Errorf("%s: %d arenas are still waiting for their calls", name, n)
		}
	}
}

// rawCodec sends bytes as they are.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error)   { return v.([]byte), nil }
func (rawCodec) Unmarshal(_ []byte, _ any) error { return nil }
func (rawCodec) Name() string                    { return "proto" }

// retained records the most memory with which an arena of a call begins.
type retained struct {
	witness
	most int64
}

func (r *retained) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	r.most = max(r.most, arena.FromContext(ctx).Stats().Retained)
	return ctx
}

// The arenas of calls, which most handlers do not use, do not hold the memory of
// requests.
func TestCallsDoNotHoldTheMemoryOfRequests(t *testing.T) {
	var pool arena.Pool
	var seen retained
	client, stop := serve(t, description(func(context.Context, *message) (*message, error) { return new(message), nil }, answerAll),
		append(ServerOptions{Text: arena.TextArena}.DecodeRequests(&pool), grpc.StatsHandler(&seen))...)
	const calls = 50
	for range calls {
		if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes(make([]byte, 100<<10)), new(message)); err != nil {
			t.Fatal(err)
		}
	}
	if stop(calls); seen.most > 1<<10 {
		t.Errorf("the arena of a call holds %d bytes", seen.most)
	}
}
