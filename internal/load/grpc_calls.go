package load

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// connections is how many a gRPC client has. One HTTP/2 connection writes with
// one goroutine, and a storm would measure that.
const connections = 4

// calls sends requests whose path is a method and whose body is an encoded
// message as gRPC calls.
type calls struct {
	conns []*grpc.ClientConn
	next  atomic.Uint64
}

func dial(to *url.URL) (*calls, error) {
	secure := insecure.NewCredentials()
	if to.Scheme == "https" {
		secure = credentials.NewTLS(nil)
	}
	c := &calls{}
	for range connections {
		conn, err := grpc.NewClient("passthrough:///"+to.Host, grpc.WithTransportCredentials(secure),
			// How long a reply may be is the server's affair: 4 MiB, the usual
			// bound, would be booked as an error of its own.
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)))
		if err != nil {
			c.close()
			return nil, fmt.Errorf("gRPC to %s: %w", to.Host, err)
		}
		c.conns = append(c.conns, conn)
	}
	return c, nil
}

func (c *calls) close() {
	for _, conn := range c.conns {
		conn.Close()
	}
}

// RoundTrip makes one call. A status other than OK becomes the HTTP status
// nearest to it, with the gRPC status as its text.
func (c *calls) RoundTrip(r *http.Request) (*http.Response, error) {
	var message []byte
	if r.Body != nil {
		defer r.Body.Close()
		var err error
		if message, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	ctx := r.Context()
	for key, values := range r.Header {
		if key = strings.ToLower(key); strings.HasPrefix(key, "x-vegeta-") {
			continue
		}
		for _, v := range values {
			ctx = metadata.AppendToOutgoingContext(ctx, key, v)
		}
	}
	conn := c.conns[c.next.Add(1)%uint64(len(c.conns))]
	var reply []byte
	err := conn.Invoke(ctx, r.URL.Path, message, &reply, grpc.ForceCodec(rawCodec{}))
	answer := &http.Response{StatusCode: http.StatusOK, Status: "OK", Body: http.NoBody, Request: r}
	if err != nil {
		if r.Context().Err() != nil {
			return nil, r.Context().Err() // our own end, not the server's answer
		}
		s := status.Convert(err)
		answer.StatusCode, answer.Status = httpStatus(s.Code()), s.Code().String()+": "+s.Message()
	}
	return answer, nil
}

// httpStatus is the mapping of google/rpc/code.proto, but for Unimplemented:
// a server that lacks the method is ready, and will never have it.
func httpStatus(c codes.Code) int {
	switch c {
	case codes.InvalidArgument, codes.FailedPrecondition, codes.OutOfRange:
		return http.StatusBadRequest
	case codes.Unauthenticated:
		return http.StatusUnauthorized
	case codes.PermissionDenied:
		return http.StatusForbidden
	case codes.NotFound, codes.Unimplemented:
		return http.StatusNotFound
	case codes.AlreadyExists, codes.Aborted:
		return http.StatusConflict
	case codes.ResourceExhausted:
		return http.StatusTooManyRequests
	case codes.Unavailable:
		return http.StatusServiceUnavailable
	case codes.DeadlineExceeded:
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

// rawCodec leaves messages as they are: they are encoded already.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error) { return v.([]byte), nil }

func (rawCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = data
	return nil
}

func (rawCodec) Name() string { return "proto" }
