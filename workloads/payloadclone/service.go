package main

import (
	"context"
	"encoding/binary"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// replicator is the service: it clones each request's record.
type replicator struct{ clones int }

// replicate returns the last clone's payload, whose last four bytes are the
// check value of all clones. It lies in mem, as they do.
func (s *replicator) replicate(request []byte, mem memory) ([]byte, error) {
	r, err := decode(request)
	if err != nil {
		return nil, err
	}
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
	return response, nil
}

// method is the only method of the service.
const method = "/heapwright.payloadclone.Replicator/Replicate"

// description is the descriptor that protoc would generate.
var description = grpc.ServiceDesc{
	ServiceName: "heapwright.payloadclone.Replicator",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Replicate", Handler: handle}},
}

func handle(service any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	m := &message{mem: newMemory()}
	if err := decode(m); err != nil {
		m.mem.free()
		return nil, err
	}
	response, err := service.(*replicator).replicate(m.value, m.mem)
	if err != nil {
		m.mem.free()
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	m.value = response
	return m, nil
}
