package arena

// DefaultRetain is the number of bytes that an arena keeps at most when it is
// reset or freed, unless [Arena.Retain] or [Pool.Retain] says otherwise. It
// holds a binary tree of half a million nodes; most requests need far less.
const DefaultRetain = 16 << 20

// An Arena hands out memory for values that die together. It is made by
// [NewArena] or a [Pool], must not be used by two goroutines at once, and not be
// copied. The methods of a nil *Arena, and functions that are given one, use the
// plain heap.
type Arena struct {
	_     noCopy
	trace trace // who made and freed it; nothing without the tag arenadebug
	core  *core // freedCore once the arena has been freed
}

// NewArena returns an arena that may reuse the memory of one freed earlier.
// An arena that is dropped without [Arena.Free] is collected like any value.
func NewArena() *Arena { return defaultPool.Get() }

// Free ends the arena: its values die, objects that they alone referred to can be
// collected, and every later use of the arena or of a [Slab] of it panics, a
// second Free included. The memory may serve later arenas. Free on a nil
// *Arena does nothing.
func (a *Arena) Free() {
	if a == nil {
		return
	}
	c := a.live("Free")
	c.orphanHandles()
	c.reset(a)
	a.core = freedCore
	a.trace.end()
	c.pool.put(c)
}

// Reset ends the life of all values of the arena, as Free does, but the arena
// stays usable and keeps its memory for the next round, up to the bound set by
// [Arena.Retain]. Slabs stay valid, checkpoints do not. It takes the time to
// clear the memory in use. Reset on a nil *Arena does nothing.
func (a *Arena) Reset() {
	if a != nil {
		resetFast(a.core, a, (*core).reset)
	}
}

// Retain sets how many bytes a Reset or Free keeps at most; 0 keeps nothing.
// It acts at the next Reset. A negative bound means [DefaultRetain].
func (a *Arena) Retain(bytes int64) {
	if a == nil {
		return
	}
	if bytes < 0 {
		bytes = DefaultRetain
	}
	c := a.live("Retain")
	c.retain, c.whole = bytes, invalid
}

// Trim gives memory that holds no value back to the collector. After a Reset
// that is all of it.
func (a *Arena) Trim() {
	if a == nil {
		return
	}
	a.live("Trim").trim(0)
}

// live returns the core of a, or panics when a has been freed.
func (a *Arena) live(op string) *core {
	c := a.core
	if c == freedCore {
		panic("arena: " + op + " on an arena that has been freed" + a.trace.String())
	}
	if debugging {
		checkQuarantine()
	}
	return c
}

// owner returns the arena that a growing value of a has to remember: nil, the heap,
// where the value does not die with a.
func (a *Arena) owner() *Arena {
	if plainHeap {
		return nil
	}
	return a
}

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
