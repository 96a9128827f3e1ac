package arena

// A slabCache holds the slabs of the last types, where New looks first. The slab of
// a key is in slot key>>5%cacheSlots. The linker lays out the method tables of all
// kinds one after the other, 32 bytes each, so a program of few types rarely has two
// in one slot.
type slabCache [cacheSlots]*slab

const cacheSlots = 32

// empty empties all slots.
func (c *slabCache) empty() {
	for i := range c {
		c[i] = &noSlab
	}
}

// noSlab is in every empty slot. No key matches it, and it has no memory left.
var noSlab slab

// freedCore is the core of all freed arenas.
var freedCore = func() *core {
	c := &core{whole: invalid}
	c.cache.empty()
	return c
}()
