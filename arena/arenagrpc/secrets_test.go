package arenagrpc

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A rejection makes its text from the request when it is asked.
type rejection struct{ request *wrapperspb.StringValue }

func (r *rejection) Error() string { return "rejected " + r.request.Value }

// A refusal also makes its status so, in the memory of the request.
type refusal struct{ rejection }

func (r *refusal) GRPCStatus() *status.Status { return status.New(codes.Aborted, r.request.Value) }

// The transport encodes status and metadata when the call has ended. Each client is
// answered with its own text, wherever the text lies.
func TestClientsAreNotSentTextOfOthers(t *testing.T) {
	type request = wrapperspb.StringValue
	tests := map[string]func(ctx context.Context, r *request) error{
		"text made late":   func(_ context.Context, r *request) error { return &rejection{r} },
		"status made late": func(_ context.Context, r *request) error { return &refusal{rejection{r}} },
		"wrapped":          func(_ context.Context, r *request) error { return fmt.Errorf("wrapped: %w", &refusal{rejection{r}}) },
		"status":           func(_ context.Context, r *request) error { return status.Error(codes.Aborted, r.Value) },
		"status in the call's arena": func(ctx context.Context, r *request) error {
			return status.Error(codes.Aborted, arena.Concat(arena.FromContext(ctx), "no ", r.Value))
		},
		"details": func(_ context.Context, r *request) error {
			return status.FromProto(&spb.Status{Code: int32(codes.Aborted), Details: []*anypb.Any{{TypeUrl: r.Value}}}).Err()
		},
		"trailer": func(ctx context.Context, r *request) error {
			return grpc.SetTrailer(ctx, metadata.Pairs("name", r.Value))
		},
		"key of a trailer": func(ctx context.Context, r *request) error {
			return grpc.SetTrailer(ctx, metadata.MD{r.Value: {"value"}})
		},
		"header": func(ctx context.Context, r *request) error {
			return grpc.SetHeader(ctx, metadata.Pairs("name", arena.Concat(arena.FromContext(ctx), "no ", r.Value)))
		},
		"header beside an error": func(ctx context.Context, r *request) error {
			header := metadata.Pairs("name", arena.Concat(arena.FromContext(ctx), "no ", r.Value))
			return errors.Join(grpc.SetHeader(ctx, header), status.Error(codes.Aborted, "refused"))
		},
		"header sent at once": func(ctx context.Context, r *request) error {
			return grpc.SendHeader(ctx, metadata.Pairs("name", r.Value))
		},
	}
	for _, d := range []ServerOptions{{Text: arena.TextArena, FreeOnReceive: true}, {Text: arena.TextArena, FreeOnReceive: true, NoStatsHandler: true}} {
		for name, answer := range tests {
			t.Run(fmt.Sprintf("%s, %+v", name, d), func(t *testing.T) {
				service := description(nil, func(s grpc.ServerStream) error {
					r := new(request)
					if err := s.RecvMsg(r); err != nil {
						return err
					}
					if err := answer(s.Context(), r); err != nil {
						return err
					}
					return s.SendMsg(new(request))
				})
				service.Methods[0].Handler = func(_ any, ctx context.Context, decode func(any) error, chain grpc.UnaryServerInterceptor) (any, error) {
					r := new(request)
					if err := decode(r); err != nil {
						return nil, err
					}
					handle := func(ctx context.Context, _ any) (any, error) { return new(request), answer(ctx, r) }
					if chain == nil {
						return handle(ctx, r)
					}
					return chain(ctx, r, &grpc.UnaryServerInfo{FullMethod: "/test/Unary"}, handle)
				}
				_, client := serveOnly(t, service, d.DecodeRequests(new(arena.Pool))...)
				for _, client := range []*grpc.ClientConn{client, serveHTTP(t, service, d.DecodeRequests(new(arena.Pool))...)} {
					for _, method := range []string{"/test/Unary", "/test/Stream"} {
						ask(t, client, method)
					}
				}
			})
		}
	}
}

// serveHTTP serves through net/http, which encodes headers of its own and tells no stats
// handler of those that are sent with an error.
func serveHTTP(t *testing.T, service *grpc.ServiceDesc, options ...grpc.ServerOption) *grpc.ClientConn {
	t.Helper()
	s := grpc.NewServer(options...)
	s.RegisterService(service, nil)
	server := httptest.NewUnstartedServer(s)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	client, err := grpc.NewClient(server.Listener.Addr().String(), grpc.WithTransportCredentials(credentials.NewClientTLSFromCert(roots, "example.com")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// ask sends concurrent calls, whose answers must contain their own secret and no other.
func ask(t *testing.T, client *grpc.ClientConn, method string) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				secret := fmt.Sprintf("secret-%02d-%04d-%s", i, j, strings.Repeat("x", minSize))
				var header, trailer metadata.MD
				err := client.Invoke(t.Context(), method, wrapperspb.String(secret), new(message), grpc.Header(&header), grpc.Trailer(&trailer))
				s := status.Convert(err)
				if all := fmt.Sprint(s.Message(), s.Proto().GetDetails(), map[string][]string(header), map[string][]string(trailer)); strings.Count(all, "secret-") == 0 || strings.Count(all, "secret-") != strings.Count(all, secret) {
					t.Errorf("%s was answered %s", secret, all)
					return
				}
			}
		})
	}
	all.Wait()
}
