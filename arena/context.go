package arena

import (
	"context"

	"github.com/heapwright/heapwright/arena/internal/memory"
)

// NewContext returns a context that carries a, for the values of one request.
func NewContext(ctx context.Context, a *Arena) context.Context {
	return context.WithValue(ctx, memory.ContextKey{}, a)
}

// FromContext returns the arena of ctx. Without one it returns nil, which
// stands for the heap: code need not know whether its caller uses arenas.
func FromContext(ctx context.Context) *Arena {
	switch v := ctx.Value(memory.ContextKey{}).(type) {
	case *Arena:
		return v
	case interface{ Arena() *Arena }: // arenagrpc makes the arena when it is asked for
		return v.Arena()
	}
	return nil
}
