package arenagrpc

import (
	"context"
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/heapwright/heapwright/arena"
)

// detached returns err with its message on the heap: the transport sends it
// when the call has ended. Errors that need no arena stay as they are.
func detached(err error) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	message := arena.Clone(s.Message())
	if unsafe.StringData(message) == unsafe.StringData(s.Message()) {
		return err
	}
	p := s.Proto() // a copy, its details included
	p.Message = message
	return status.ErrorProto(p)
}

// A stream carries the context with the arena, and sends no metadata of it.
type stream struct {
	grpc.ServerStream
	ctx context.Context
}

func (s *stream) Context() context.Context { return s.ctx }

func (s *stream) SetHeader(md metadata.MD) error { return s.ServerStream.SetHeader(copied(md)) }

func (s *stream) SendHeader(md metadata.MD) error { return s.ServerStream.SendHeader(copied(md)) }

func (s *stream) SetTrailer(md metadata.MD) { s.ServerStream.SetTrailer(copied(md)) }

// copied returns md without memory of an arena.
func copied(md metadata.MD) metadata.MD {
	own := make(metadata.MD, len(md))
	for key, values := range md {
		list := make([]string, len(values))
		for i, v := range values {
			list[i] = arena.Clone(v)
		}
		own[arena.Clone(key)] = list
	}
	return own
}
