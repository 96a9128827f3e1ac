package arenagrpc

import (
	"reflect"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A callError is the error of a call that ends, with the text and status that it had
// while the call's memory was alive: its methods may read the request.
type callError struct {
	err    error
	text   string
	status *status.Status
}

func (e *callError) Error() string              { return e.text }
func (e *callError) GRPCStatus() *status.Status { return e.status }
func (e *callError) Unwrap() error              { return e.err }

// plain is the type of errors that are only a status.
var plain = reflect.TypeOf(status.Error(codes.Unknown, ""))

// evaluated returns an error with the text and status of err, which it does not ask
// for them again. They do not refer to memory of the call.
func evaluated(err error) error {
	if err == nil {
		return nil
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err) // processRPC in grpc's server.go does the same
	}
	switch own := owned(s); {
	case own == s && reflect.TypeOf(err) == plain:
		return err
	case !ok, reflect.TypeOf(err) == plain:
		return own.Err()
	default:
		return &callError{err, arena.Clone(err.Error()), own}
	}
}

// owned returns s, or a copy if s may refer to memory of an arena.
func owned(s *status.Status) *status.Status {
	p := s.Proto()
	if len(p.Details) == 0 && !inArena(p.Message) {
		return s
	}
	return status.FromProto(arenapb.Promote(p))
}
