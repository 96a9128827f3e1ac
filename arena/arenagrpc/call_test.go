package arenagrpc

import (
	"context"
	"sync"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// A call has one arena, whoever asks for it first.
func TestCallHasOneArena(t *testing.T) {
	c := &call{Context: t.Context(), pool: new(arena.Pool)}
	ctx, cancel := context.WithCancel(c)
	defer cancel()
	var seen [8]*arena.Arena
	var all sync.WaitGroup
	for i := range seen {
		all.Go(func() { seen[i] = arena.FromContext(ctx) })
	}
	all.Wait()
	for _, a := range seen {
		if a == nil || a != seen[0] || freed(a) {
			t.Errorf("got %p and %p", a, seen[0])
		}
	}
	if c.end(); !freed(seen[0]) || arena.FromContext(ctx) != seen[0] {
		t.Error("the arena lives on after its call")
	}
	c.end() // as when a response is encoded twice
}

// A goroutine that outlives its call finds an arena that must not be used, whether or
// not the call had one.
func TestArenaAfterTheCall(t *testing.T) {
	c := &call{Context: t.Context(), pool: new(arena.Pool)}
	if c.end(); c.own != nil {
		t.Error("a call had an arena that nobody asked for")
	}
	if a := arena.FromContext(c); a == nil || !freed(a) {
		t.Error("a call that has ended gave an arena")
	}
}
