package arena

// A slabCache holds the slabs of recently used types; New looks there first. The slab
// of a key is in slot key>>5%cacheSlots. The linker lays out the method tables of all
// kinds consecutively, 32 bytes each, so two of few types rarely share a slot.
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
