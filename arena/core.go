package arena

import "unsafe"

// A core is what an arena is made of. It outlives the *Arena that users hold,
// so that a recycled arena is a new pointer and the old one stays dead.
type core struct {
	slabs  []*slab // in order of first use, the bytes first
	table  table   // type word → slab
	bytes  slab    // untyped pointer-free memory: strings, copies of bytes
	retain int64   // bytes that reset keeps at most
	held   int64   // bytes of all chunks
	peak   int64   // most bytes ever in use when a round ended
	marks  marks
	pool   *Pool
	ranges *ranges
	source source
	trace  *trace // who made the arena and freed it; nil without the tag arenadebug
}

func newCore(p *Pool) *core {
	c := &core{pool: p, ranges: new(ranges)}
	c.bytes = slab{elem: elemOf[byte](), core: c, raw: true}
	c.slabs = append(c.slabs, &c.bytes)
	c.ranges.watch(c)
	return c
}

// reset ends a round.
func (c *core) reset() {
	if debugging {
		checkSome(checkRound)
	}
	if c.marks.stack != nil {
		c.marks.drop()
	}
	if plainHeap || c.held > c.peak {
		c.notePeak()
	}
	for _, s := range c.slabs {
		if s.dirty() {
			s.rewind(0, 0)
		}
	}
	if c.held > c.retain {
		c.trim(c.retain)
	}
}

// trim drops unused chunks, the largest holdings first, until at most keep
// bytes are held or every chunk is in use.
func (c *core) trim(keep int64) {
	if c.source.trimWhole(c) {
		return
	}
	for c.held > keep {
		var most *slab
		for _, s := range c.slabs {
			if s.idle() && (most == nil || s.held > most.held) {
				most = s
			}
		}
		if most == nil {
			return
		}
		most.dropLast()
	}
}

// used returns the bytes handed out in this round.
func (c *core) used() int64 {
	var n int64
	for _, s := range c.slabs {
		n += int64(s.used())
	}
	return n
}

func (c *core) notePeak() { c.peak = max(c.peak, c.used()) }

// orphanHandles parts the core from the slabs that users hold, so that a
// stale handle finds nothing to hand out.
func (c *core) orphanHandles() {
	for i, s := range c.slabs {
		if s.exported {
			own := new(slab)
			*own = *s
			own.exported = false
			*s = slab{elem: s.elem, freed: true}
			c.slabs[i] = own
			c.table.put(own.elem.word, own)
		}
	}
}

// slabFor returns the slab of e's type.
func (c *core) slabFor(word unsafe.Pointer, e func() *elem) *slab {
	if s := c.table.get(word); s != nil {
		return s
	}
	s := &slab{elem: e(), core: c}
	c.slabs = append(c.slabs, s)
	c.table.put(word, s)
	return s
}
