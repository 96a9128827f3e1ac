package a

import (
	"context"
	"errors"

	"github.com/heapwright/heapwright/arena"
)

type key struct{}

// Each context and each error holds the one before.
func chain(n int, next func() error) error {
	a := arena.NewArena()
	ctx, err := context.Background(), error(nil)
	for range n {
		ctx = context.WithValue(ctx, key{}, err)
		err = errors.Join(err, next())
	}
	a.Free()
	_ = arena.String(a, "late") // want `the arena a is used after its Free`
	_ = ctx
	return err
}
