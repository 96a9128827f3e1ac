package load

import (
	"context"
	"errors"
)

// GRPC says which method of a gRPC server is called.
type GRPC struct {
	Method string
	Proto  string
	Data   string
}

type method struct{}

func (g *GRPC) read(string) (*method, error) { return nil, nil }

func (r *Requests) openGRPC(ctx context.Context, url string) (*Client, error) {
	return nil, errors.ErrUnsupported
}
