package arena

// DefaultRetain is the most bytes that an arena keeps when it is reset or freed,
// unless [Arena.Retain] or [Pool.Retain] sets another bound. It holds a binary tree
// of half a million nodes; most requests need far less.
const DefaultRetain = 16 << 20

// An Arena hands out memory for values that die together. [NewArena] and [Pool.Get]
// make one. It must not be copied, and two goroutines must not use it at once. A nil
// *Arena stands for the plain heap, in its methods and in functions that take an
// arena.
type Arena struct {
	_     noCopy
	trace trace // the stacks that made and freed it; empty without the tag arenadebug
	core  *core // freedCore once the arena has been freed
}

// NewArena returns an arena that may reuse the memory of one freed earlier.
// An arena that is dropped without [Arena.Free] is collected like any value.
func NewArena() *Arena { return defaultPool.Get() }

// Free ends the arena. Its values die, heap objects that only they referred to can be
// collected, and later arenas may reuse the memory. Every later use of the arena or
// of its [Slab]s panics, and so does a second Free. Free on a nil *Arena does
// nothing.
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

// Reset ends the life of all values of the arena, as Free does, but the arena stays
// usable and keeps its memory for the next round, up to the bound set by
// [Arena.Retain]. Slabs stay valid, checkpoints do not. Reset takes the time to clear
// the used memory that can hold pointers. Reset on a nil *Arena does nothing.
func (a *Arena) Reset() {
	if a != nil {
		resetFast(a.core, a, (*core).reset)
	}
}

// Retain sets the most bytes that a Reset or Free keeps, from the next one on. As in
// [Pool].Retain, 0 means [DefaultRetain], and a negative bound keeps nothing.
func (a *Arena) Retain(bytes int64) {
	if a == nil {
		return
	}
	c := a.live("Retain")
	c.retain, c.whole = retained(bytes), invalid
}

// retained returns the number of bytes that a setting of Retain keeps.
func retained(setting int64) int64 {
	if setting == 0 {
		return DefaultRetain
	}
	return max(setting, 0)
}

// Trim leaves memory that holds no value to the collector: after a Reset, all of it.
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

// owner returns the arena that a growing value of a records: nil, the heap, in builds
// in which values do not die with a.
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
