// Package grpc declares the part of gRPC that the tests use.
package grpc

type ServiceDesc struct {
	ServiceName string
	HandlerType any
}

type ServiceRegistrar interface {
	RegisterService(desc *ServiceDesc, impl any)
}

type ServerOption interface{ apply() }

type Server struct{}

func NewServer(opt ...ServerOption) *Server { return nil }

func (s *Server) RegisterService(desc *ServiceDesc, impl any) {}

func MaxRecvMsgSize(m int) ServerOption { return nil }
