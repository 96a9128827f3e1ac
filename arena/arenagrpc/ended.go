package arenagrpc

import (
	"reflect"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// An ended is the error of a call that ends, with the text and status that it had
// while the call's memory was alive: its methods may read the request.
type ended struct {
	err    error
	text   string
	status *status.Status
}

func (e *ended) Error() string              { return e.text }
func (e *ended) GRPCStatus() *status.Status { return e.status }
func (e *ended) Unwrap() error              { return e.err }

// plain is the type of errors that are only a status.
var plain = reflect.TypeOf(status.Error(codes.Unknown, ""))

// evaluated returns an error with the text and status of err, which it does not ask
// for them again.
func evaluated(err error) error {
	if err == nil || reflect.TypeOf(err) == plain {
		return err
	}
	s, ok := status.FromError(err)
	if !ok {
		return status.FromContextError(err).Err() // as processRPC in grpc's server.go does
	}
	return &ended{err, err.Error(), s}
}
