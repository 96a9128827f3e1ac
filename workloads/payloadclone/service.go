package main

import (
	"context"
	"encoding/binary"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// replicator is the service: it clones each request's record.
type replicator struct{ clones int }

// replicate returns the last clone's payload, whose last four bytes are the
// check value of all clones.
func (s *replicator) replicate(request []byte) ([]byte, error) {
	r, err := decode(request)
	if err != nil {
		return nil, err
	}
	mem := newMemory()
	defer mem.free()
	replicas := mem.records(s.clones)
	for i := range replicas {
		replicas[i] = mem.clone(r)
		replicas[i].assign(i)
	}
	var sum uint32
	for _, c := range replicas {
		sum = c.checksum(sum)
	}
	response := replicas[len(replicas)-1].payload
	binary.LittleEndian.PutUint32(response[len(response)-4:], sum)
	return mem.keep(response), nil
}

// method is the only method of the service.
const method = "/heapwright.payloadclone.Replicator/Replicate"

// description is what protoc would generate. The messages are protobuf's own
// BytesValue, so that nothing has to be generated.
var description = grpc.ServiceDesc{
	ServiceName: "heapwright.payloadclone.Replicator",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Replicate", Handler: handle}},
}

func handle(service any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	request := new(wrapperspb.BytesValue)
	if err := decode(request); err != nil {
		return nil, err
	}
	response, err := service.(*replicator).replicate(request.GetValue())
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return wrapperspb.Bytes(response), nil
}
