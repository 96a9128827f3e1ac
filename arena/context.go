package arena

import "context"

type contextKey struct{}

// NewContext returns a context that carries a, for the values of one request.
func NewContext(ctx context.Context, a *Arena) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// FromContext returns the arena of ctx. Without one it returns nil, which
// stands for the heap: code need not know whether its caller uses arenas.
func FromContext(ctx context.Context) *Arena {
	a, _ := ctx.Value(contextKey{}).(*Arena)
	return a
}
