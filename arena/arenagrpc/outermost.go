package arenagrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	"github.com/heapwright/heapwright/arena"
)

// An outermost is a codec and the interceptors around all others. What follows
// their return is known: of a unary call, the codec encodes the response, and then
// nobody reads its messages any more.
type outermost struct {
	*codec
	calls *arena.Pool
}

func (o *outermost) options() []grpc.ServerOption {
	return []grpc.ServerOption{grpc.ForceServerCodecV2(o), grpc.UnaryInterceptor(o.unary), grpc.StreamInterceptor(o.stream)}
}

func (o *outermost) unary(ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	r := &response{call: call{Context: ctx, pool: o.calls, textInArena: o.textInArena(), last: o.received.take(request)}}
	message, err := handle(&r.call, request)
	if err != nil {
		err = evaluated(err)
		r.call.endUnseen()
		return nil, err
	}
	switch message.(type) {
	case nil, *grpc.PreparedMsg: // the codec does not get them
		r.call.endUnseen()
		return message, nil
	}
	r.message = message
	return r, nil
}

// A response takes the arenas of a unary call to the codec.
type response struct {
	call    call
	message any
}

func (o *outermost) Marshal(v any) (mem.BufferSlice, error) {
	if r, ok := v.(*response); ok {
		defer r.call.endUnseen()
		v, r.message = r.message, nil // tracing may keep r
	}
	return o.codec.Marshal(v)
}

func (o *outermost) stream(service any, s grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	r := &receiver{ServerStream: s, call: call{Context: s.Context(), pool: o.calls, textInArena: o.textInArena()}, outermost: o, streamed: info.IsClientStream}
	defer r.call.endUnseen()
	return evaluated(handle(service, r))
}

// A receiver is a stream that knows the arena of its last message.
type receiver struct {
	grpc.ServerStream
	call      call
	outermost *outermost
	streamed  bool // the client sends several messages
}

func (r *receiver) Context() context.Context { return &r.call }

func (r *receiver) RecvMsg(message any) error {
	if err := r.ServerStream.RecvMsg(message); err != nil {
		r.outermost.received.take(message).Free() // a second message is refused when it has been decoded
		return err
	}
	r.outermost.deliver(message, &r.call, r.streamed)
	return nil
}
