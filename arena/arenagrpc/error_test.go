package arenagrpc

import (
	"context"
	"errors"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A lazy error reads memory of its call when its text is made.
type lazy struct{ call *arena.Arena }

func (l lazy) Error() string {
	if freed(l.call) {
		return "too late"
	}
	return "in time"
}

// A lazyStatus also makes its status so.
type lazyStatus struct{ lazy }

func (l lazyStatus) GRPCStatus() *status.Status { return status.New(codes.NotFound, l.Error()) }

// An auditor is a stats handler that notes the arena and the errors of its calls.
type auditor struct {
	empty
	mu     sync.Mutex
	arena  *arena.Arena
	failed []error
	texts  []string
}

func (a *auditor) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arena = arena.FromContext(ctx)
	return ctx
}

func (a *auditor) HandleRPC(_ context.Context, s stats.RPCStats) {
	if s, ok := s.(*stats.End); ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.failed = append(a.failed, s.Error)
		a.texts = append(a.texts, s.Error.Error(), status.Convert(s.Error).Message())
	}
}

// gRPC and other stats handlers ask an error for its text and status when the
// handler has returned. They may come from the request.
func TestErrorsThatReadTheirCall(t *testing.T) {
	for _, d := range []ServerOptions{{}, {NoStatsHandler: true}} {
		after := new(auditor)
		fail := func(ctx context.Context, code codes.Code) error {
			after.mu.Lock()
			l := lazy{after.arena}
			after.mu.Unlock()
			if d.NoStatsHandler {
				l.call = arena.FromContext(ctx)
			}
			if code == codes.NotFound {
				return lazyStatus{l}
			}
			return l
		}
		for _, code := range []codes.Code{codes.NotFound, codes.Unknown} {
			client, stop := serve(t, description(
				func(ctx context.Context, _ *message) (*message, error) { return nil, fail(ctx, code) },
				func(s grpc.ServerStream) error { return fail(s.Context(), code) },
			), append(d.DecodeRequests(new(arena.Pool)), grpc.StatsHandler(after))...)
			err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes(make([]byte, minSize)), new(message))
			if wantCode(t, err, code); status.Convert(err).Message() != "in time" {
				t.Errorf("%+v: the client got %v", d, err)
			}
			stream, err := client.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, "/test/Stream")
			if err != nil {
				t.Fatal(err)
			}
			err = stream.RecvMsg(new(message))
			if wantCode(t, err, code); status.Convert(err).Message() != "in time" {
				t.Errorf("%+v: the client of the stream got %v", d, err)
			}
			stop(2)
		}
		for i, text := range after.texts {
			if text != "in time" && text != "rpc error: code = Unknown desc = in time" {
				t.Errorf("%+v: the stats handler got %d: %s", d, i, text)
			}
		}
		for i, err := range after.failed[:2] {
			if !errors.As(err, new(lazyStatus)) {
				t.Errorf("%+v: error %d is a %T, which hides the handler's", d, i, err)
			}
		}
	}
}

// gRPC makes the same status of an evaluated error as of the error.
func TestEvaluated(t *testing.T) {
	plain := errors.New("plain")
	for _, err := range []error{
		nil, plain, context.Canceled, status.Error(codes.Aborted, "aborted"),
		errors.Join(plain, context.DeadlineExceeded), errors.Join(plain, status.Error(codes.Aborted, "aborted")),
	} {
		if got, want := inEnd(evaluated(err)), inEnd(err); got.Code() != want.Code() || got.Message() != want.Message() {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

// inEnd returns the status that gRPC makes of a handler's error (processRPC in its
// server.go).
func inEnd(err error) *status.Status {
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	return s
}
