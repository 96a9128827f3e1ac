//go:build race || asan || arenadebug

package arenagrpc

import (
	"context"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A test with a small request finds a handler that keeps it.
func TestSmallRequestIsInArena(t *testing.T) {
	s := newSpy(ServerOptions{})
	client, stop := serve(t, description(func(context.Context, *message) (*message, error) { return new(message), nil }, nil), s.options()...)
	if err := client.Invoke(t.Context(), "/test/Unary", wrapperspb.Bytes([]byte("kept")), new(message)); err != nil {
		t.Error(err)
	}
	stop(1)
	s.wantFreed(t, 2, 0) // those of the call and of its request
}
