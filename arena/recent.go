package arena

// recent holds the slabs that were used last: what New looks at first. The slab
// of a key is at place key>>5%places. As the linker lays the method tables of
// all kinds out one after the other, 32 bytes each, so many types mostly have a
// place each.
type recent [places]*slab

const places = 32

// forget empties all places.
func (r *recent) forget() {
	for i := range r {
		r[i] = &noSlab
	}
}

// noSlab is in every place without a slab: it is no key's, and nothing is left
// in it.
var noSlab slab

// freedCore is what all freed arenas are made of.
var freedCore = func() *core {
	c := &core{whole: worn}
	c.recent.forget()
	return c
}()
