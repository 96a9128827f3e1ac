package arenagrpc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A spy is an outermost that notes the arenas of its calls and messages.
type spy struct {
	*outermost
	mu   sync.Mutex
	seen []*arena.Arena
}

func newSpy(d ServerOptions) *spy {
	return &spy{outermost: &outermost{codec: d.codec(new(arena.Pool)), calls: new(arena.Pool)}}
}

// options are those of an outermost, whose chain ends with the spy.
func (s *spy) options() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ForceServerCodecV2(s), grpc.UnaryInterceptor(s.unary), grpc.StreamInterceptor(s.stream),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			s.saw(arena.FromContext(ctx))
			return next(ctx, request)
		}),
		grpc.ChainStreamInterceptor(func(service any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			s.saw(arena.FromContext(stream.Context()))
			return next(service, stream)
		}),
	}
}

func (s *spy) Unmarshal(data mem.BufferSlice, v any) error {
	err := s.outermost.Unmarshal(data, v)
	if a := s.received.take(v); a != nil {
		s.saw(a)
		s.received.put(v, a, data.Len())
	}
	return err
}

func (s *spy) saw(a *arena.Arena) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, a)
}

// wantFreed checks that there were n arenas and that all but the given number of them
// are freed.
func (s *spy) wantFreed(t *testing.T, n, but int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.seen {
		if a == nil || !freed(a) {
			but--
		}
	}
	if len(s.seen) != n || but != 0 {
		t.Errorf("there were %d arenas, want %d; %d more than expected were freed", len(s.seen), n, but)
	}
}

// A response that is made of its request is encoded before the request dies.
func TestOutermostUnary(t *testing.T) {
	s := newSpy(ServerOptions{Text: arena.TextArena})
	client, stop := serve(t, description(func(ctx context.Context, request *message) (*message, error) {
		if len(request.Value)%2 == 0 {
			return request, nil
		}
		return &message{Value: arena.Bytes(arena.FromContext(ctx), request.Value)}, nil
	}, nil), s.options()...)
	concurrently(func(request *message) {
		request.Value = append(request.Value, make([]byte, minSize)...)
		response := new(message)
		err := client.Invoke(t.Context(), "/test/Unary", request, response, grpc.UseCompressor([]string{"identity", gzip.Name}[len(request.Value)/2%2]))
		if err != nil || !bytes.Equal(response.Value, request.Value) {
			t.Errorf("%.20q: %.20q, %v", request.Value, response.Value, err)
		}
	})
	stop(clients * rounds)
	s.wantFreed(t, 2*clients*rounds, 0)
}

// However a call ends, its arenas are freed before the client learns of it.
func TestOutermostEnds(t *testing.T) {
	s := newSpy(ServerOptions{})
	handler := func(ctx context.Context, request any) (any, error) {
		switch text := strings.TrimSpace(string(request.(*message).Value)); text {
		case "fail":
			return request, status.Errorf(codes.NotFound, "no %s", text)
		case "panic":
			panic(text)
		case "nothing":
			return nil, nil
		case "typed nothing":
			return (*message)(nil), nil
		case "prepared":
			p := new(grpc.PreparedMsg)
			return p, p.Encode(contextOnly{ctx: ctx}, request)
		case "foreign":
			return "this is no protobuf message", nil
		}
		return request, nil
	}
	recovery := func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (_ any, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = status.Errorf(codes.Aborted, "panic: %v", r)
			}
		}()
		return next(ctx, request)
	}
	service := description(nil, nil)
	service.Methods[0].Handler = func(_ any, ctx context.Context, decode func(any) error, chain grpc.UnaryServerInterceptor) (any, error) {
		request := new(message)
		if err := decode(request); err != nil {
			return nil, err
		}
		return chain(ctx, request, &grpc.UnaryServerInfo{FullMethod: "/test/Unary"}, handler)
	}
	client, stop := serve(t, service, append(s.options(), grpc.ChainUnaryInterceptor(recovery))...)
	ends := []struct {
		request string
		code    codes.Code
		answer  bool
	}{
		{"answer", codes.OK, true}, {"fail", codes.NotFound, false}, {"panic", codes.Aborted, false}, {"nothing", codes.OK, false},
		{"typed nothing", codes.OK, false}, {"prepared", codes.OK, true}, {"foreign", codes.Internal, false},
	}
	for i, end := range ends {
		request, response := wrapperspb.Bytes(fmt.Appendf(nil, "%100s", end.request)), new(message)
		err := client.Invoke(t.Context(), "/test/Unary", request, response)
		if wantCode(t, err, end.code); bytes.Equal(response.Value, request.Value) != end.answer {
			t.Errorf("%s: the response is %q", end.request, response.Value)
		}
		s.wantFreed(t, 2*(i+1), 0)
	}
	stop(len(ends))
}

// A contextOnly stream is one that messages are prepared for.
type contextOnly struct {
	grpc.Stream
	ctx context.Context
}

func (c contextOnly) Context() context.Context { return c.ctx }

func TestOutermostStream(t *testing.T) {
	const messages = 5
	for _, test := range []struct {
		d            ServerOptions
		arenas, kept int // the arena of the call does not count
	}{
		{ServerOptions{}, 1, 1}, // clients stream messages of this type, as the first one shows
		{ServerOptions{FreeOnReceive: true}, messages, 0},
	} {
		s := newSpy(test.d)
		client, stop := serve(t, description(nil, answerAll), s.options()...)
		stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test/Stream")
		if err != nil {
			t.Fatal(err)
		}
		for range messages {
			request, response := wrapperspb.Bytes(make([]byte, 2*minSize)), new(message)
			if err := stream.SendMsg(request); err != nil {
				t.Error(err)
			}
			if err := stream.RecvMsg(response); err != nil || !isRepeated(response.Value, request.Value) {
				t.Errorf("%d bytes, %v", len(response.Value), err)
			}
		}
		stream.CloseSend()
		if err := stream.RecvMsg(new(message)); err != io.EOF {
			t.Error(err)
		}
		stop(1)
		s.wantFreed(t, test.arenas+1, test.kept)
	}
}

// A watcher is a stats handler that notes the payloads that it is shown.
type watcher struct {
	empty
	in, out any
}

func (w *watcher) HandleRPC(_ context.Context, s stats.RPCStats) {
	switch s := s.(type) {
	case *stats.InPayload:
		w.in = s.Payload
	case *stats.OutPayload:
		w.out = s.Payload
	}
}

// A stats handler sees requests, but not responses: they have died.
func TestOutermostBesideStatsHandler(t *testing.T) {
	w := new(watcher)
	client, stop := serve(t, description(answer, nil), append(ServerOptions{NoStatsHandler: true}.DecodeRequests(new(arena.Pool)), grpc.StatsHandler(w))...)
	if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes(make([]byte, minSize)), new(message)); err != nil {
		t.Fatal(err)
	}
	stop(1)
	if _, ok := w.in.(*message); !ok {
		t.Errorf("it was shown the request as %T", w.in)
	}
	if r, ok := w.out.(*response); !ok || r.message != nil {
		t.Errorf("it was shown the response as %#v", w.out)
	}
}

// An interceptor around these would read messages that have died.
func TestOutermostAllowsNoInterceptorAround(t *testing.T) {
	mine := ServerOptions{NoStatsHandler: true}.DecodeRequests(new(arena.Pool))
	for name, other := range map[string]grpc.ServerOption{
		"unary":  grpc.UnaryInterceptor(newSpy(ServerOptions{}).unary),
		"stream": grpc.StreamInterceptor(newSpy(ServerOptions{}).stream),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewServer accepts another %s interceptor", name)
				}
			}()
			grpc.NewServer(append(mine, other)...)
		}()
	}
}

func TestOutermostOfNilPoolIsTheHeap(t *testing.T) {
	client, stop := serve(t, description(func(ctx context.Context, request *message) (*message, error) {
		if arena.FromContext(ctx) != nil {
			t.Error("there is an arena")
		}
		return request, nil
	}, nil), ServerOptions{NoStatsHandler: true}.DecodeRequests(nil)...)
	request, response := wrapperspb.Bytes(make([]byte, minSize)), new(message)
	if err := client.Invoke(t.Context(), "/test/Unary", request, response); err != nil || !bytes.Equal(response.Value, request.Value) {
		t.Errorf("%d bytes, %v", len(response.Value), err)
	}
	stop(1)
}
