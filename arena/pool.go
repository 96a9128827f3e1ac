package arena

import "sync"

// A Pool recycles the memory of arenas among requests. The zero Pool is ready to use.
// Get and Free may be called concurrently; a Pool must not be copied. Like a
// sync.Pool, it drops memory that was not needed for two collection cycles.
type Pool struct {
	// Retain is the most bytes that a freed arena of the pool keeps for the next one.
	// 0 means [DefaultRetain], a negative number keeps nothing. Set it before the
	// first Get.
	Retain int64

	small sync.Pool // holds *core
	large coreStack
}

// large is how many bytes a core must hold to wait on the stack: about the size of a
// processor's fastest cache. A sync.Pool keeps one core for each processor, which is
// fastest, but each of them grows to the size of the largest request. Where they are
// large, that memory costs more than a lock.
const large = 32 << 10

// Get returns an empty arena. Its [Arena.Free] returns the memory to the pool.
// Arenas of a pool are always new pointers: one that is used after Free panics
// and cannot touch the arena of another request. A nil *Pool returns nil, which
// stands for the plain heap.
func (p *Pool) Get() *Arena {
	if p == nil {
		return nil
	}
	c := p.large.pop()
	if c == nil {
		c, _ = p.small.Get().(*core)
	}
	if c == nil {
		c = newCore(p)
	}
	c.retain = retained(p.Retain)
	c.peak, c.whole = 0, invalid
	c.trace = newTrace(c)
	return c.handle()
}

// handleBatch is how many arenas are allocated at once for the successive uses of a
// core. The first is allocated alone, because it may be the last.
const handleBatch = 32

// handle returns a new arena on c.
func (c *core) handle() *Arena {
	if c.taken == len(c.handles) {
		n := handleBatch
		if c.handles == nil {
			n = 1
		}
		c.handles, c.taken = make([]Arena, n), 0
	}
	a := &c.handles[c.taken]
	c.taken++
	a.core, a.trace = c, c.trace
	return a
}

func (p *Pool) put(c *core) {
	switch {
	case !c.source.recyclable(c):
	case c.held >= large:
		p.large.push(c)
	default:
		p.small.Put(c)
	}
}

// defaultPool serves NewArena.
var defaultPool Pool
