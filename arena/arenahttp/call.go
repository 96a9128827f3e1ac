package arenahttp

import (
	"context"
	"sync"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A call is the context of a request. It takes an arena when somebody asks for one, so
// that a client that is slow to send the body does not hold the memory of an earlier
// request.
type call struct {
	context.Context
	pool *arena.Pool

	mu    sync.Mutex // goroutines may ask at once
	arena *arena.Arena
	ended bool
}

func (c *call) Value(key any) any {
	if key == (memory.ContextKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Arena is for arena.FromContext. After the end it returns an arena that was freed, as
// to those who have asked before.
func (c *call) Arena() *arena.Arena {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.arena == nil {
		c.arena = c.pool.Get()
		if c.ended {
			c.arena.Free()
		}
	}
	return c.arena
}

// end frees the arena if there is one and nobody reads it later.
func (c *call) end(unread func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.arena != nil && unread() {
		c.arena.Free()
	}
}
