// Package arenagrpc gives every call of a gRPC server an arena, and frees it when the
// call has ended: after the response was encoded and handed to the transport. An
// interceptor cannot do that, because the response of a unary call is encoded after
// all interceptors have returned.
//
// The arena of a call is in its context, [arena.FromContext], and lives until
// the handler and its interceptors have returned and the response and status
// were handed over, whether the call succeeded, failed, was cancelled or
// panicked. Responses, and the messages of a stream, may lie in the arena. Values that
// are read later must not refer to it:
//
//   - metadata, if it refers to an arena that a stream resets, or to a message before
//     the last with FreeOnReceive;
//   - the encoded bytes. protobuf's, gRPC's default, are a copy; a codec that sends a
//     message's own bytes, as proxies use, must copy the bytes that may lie in an arena ([mem.Copy]): the transport reads them after the call has ended;
//   - values kept for other calls, and goroutines that outlive the call, such as a
//     handler whose interceptor returned at a deadline. [arena.Promote] copies a
//     value to the heap. A goroutine that works for the handler may read the arena
//     if the handler waits for it, but an arena serves one goroutine at a time;
//   - [grpc.EnableTracing]: it keeps messages and formats them when its page is viewed.
//
// Otherwise status and metadata may refer to the arenas of their call. The methods Error
// and GRPCStatus of an error are called before these die. The transport keeps texts for
// the life of the connection, so if one lies in an arena of the call, its arenas are left
// to the collector. A text of a request keeps all text of that request alive: send copies,
// such as those that [status.Errorf] and [strings.Clone] make.
//
// Handlers must not free the arena. Handlers of long streams may Reset it between
// messages: when Send returns, the message has been encoded. Code on a server
// without this option finds a nil arena, the plain heap.
//
//	var pool arena.Pool
//	server := grpc.NewServer(arenagrpc.CallArenas(&pool))
//
//	func (s *service) Tree(ctx context.Context, r *pb.Request) (*pb.Tree, error) {
//		a := arena.FromContext(ctx)
//		tree := arena.New[pb.Tree](a)
//		...
//		return tree, nil
//	}
//
// [DecodeRequests] decodes the requests into arenas too, which takes most of the
// garbage out of a server of large messages:
//
//	server := grpc.NewServer(arenagrpc.DecodeRequests(&pool)...)
//
// [Into] decodes the response of a client's call into an arena that the client owns.
//
// The package is a module of its own, so that package arena requires no gRPC.
package arenagrpc
