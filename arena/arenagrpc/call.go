package arenagrpc

import (
	"context"
	"sync"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A call is the context of a call, with its arenas. Its own arena is made when it is
// first asked for, which most handlers never do.
type call struct {
	context.Context

	// own comes from pool. The arena last has the strings of its message, too, if
	// textInArena is set.
	pool        *arena.Pool
	textInArena bool

	sync.Mutex // a stream may receive in a goroutine that the handler does not wait for
	own        *arena.Arena
	last       *arena.Arena // the arena of the message that was received last
	left       bool         // the arenas are left to the collector, see sends
	ended      bool
}

func (c *call) Value(key any) any {
	if key == (memory.ContextKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Arena implements [arena.FromContext]. After the call's end, the arena is one that was
// freed.
func (c *call) Arena() *arena.Arena {
	c.Lock()
	defer c.Unlock()
	if c.own == nil {
		if c.own = c.pool.Get(); c.ended {
			c.own.Free()
		}
	}
	return c.own
}

// receive notes that a message was received in a. The one before it dies.
func (c *call) receive(a *arena.Arena) {
	c.Lock()
	defer c.Unlock()
	if c.ended {
		return // the collector finds a message that was received too late
	}
	c.freeLast()
	c.last = a
}

// end frees the arenas at the end of the call. A second end does nothing.
func (c *call) end() {
	c.Lock()
	defer c.Unlock()
	if c.ended {
		return
	}
	if c.freeLast(); c.left {
		c.own = nil
	}
	c.own.Free()
	c.last, c.ended = nil, true
}

// freeLast frees the arena of the last message, unless a text in it was sent.
func (c *call) freeLast() {
	if !c.left {
		c.last.Free()
	}
}
