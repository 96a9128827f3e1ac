package arena

import "github.com/heapwright/heapwright/arena/internal/memory"

// A core holds the state of an arena. It outlives the *Arena that users hold,
// so that a recycled arena is a new pointer and the old one stays dead.
type core struct {
	cache  slabCache
	slabs  []*slab // sorted by first use, the bytes first
	spare  []slab  // allocated, for types to come
	table  table   // key → slab
	bytes  slab    // untyped pointer-free memory: strings, copies of bytes
	retain int64   // bytes that reset keeps at most
	held   int64   // bytes of all chunks
	peak   int64   // most bytes ever in use when a round ended
	marks  marks
	pool   *Pool

	// handles are arenas for calls of Get; the first taken of them have been
	// returned.
	handles []Arena
	taken   int

	// whole arms the fast Reset: it is the value of bytes.left in an empty arena. It
	// is invalid while a reset has more to do than to restore bytes.left.
	whole  uintptr
	ranges *ranges
	source source

	// slots hold a value for each nested module.
	slots [memory.Modules]any
	trace trace // the stacks that made and freed the arena; empty without the tag arenadebug
}

func newCore(p *Pool) *core {
	c := &core{pool: p, whole: invalid}
	c.cache = freedCore.cache
	c.bytes.slabRest = slabRest{elem: rawElem, core: c, raw: true}
	c.slabs = append(make([]*slab, 0, 8), &c.bytes)
	c.ranges = newRanges(c)
	return c
}

// resetFast is the fast path of reset, inlined into the caller (see newFast), for
// rounds that only copied bytes, and no more than an earlier round. While whole is
// invalid, the used bytes exceed every peak.
func resetFast(c *core, a *Arena, slow func(*core, *Arena)) {
	if used := c.whole - c.bytes.left; uint64(used) > uint64(c.peak) {
		slow(c, a)
		return
	}
	c.bytes.left = c.whole
}

// reset ends a round of the arena a.
func (c *core) reset(a *Arena) {
	if debugging || c == freedCore {
		a.live("Reset")
		checkAll()
	}
	if len(c.marks.stack) != 0 {
		c.marks.drop(c.retain - c.held)
	}
	var used int64
	for _, s := range c.slabs {
		if s.dirty() {
			used += int64(s.restart())
		}
	}
	c.notePeak(used)
	if c.held > c.retain {
		c.trim(c.retain)
	}
	if len(c.slabs) == 1 && c.bytes.fresh != 0 {
		c.whole = c.bytes.fresh
	}
}

// trim drops unused chunks, the largest holdings first, until at most keep
// bytes are held or every chunk is in use.
func (c *core) trim(keep int64) {
	c.whole = invalid
	c.marks.trim()
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

// maxPeak is the largest peak that resetFast can distinguish from invalid. With
// 32-bit addresses an arena can hand out more, from the plain heap.
const maxPeak = int64(^uintptr(0) >> 1)

func (c *core) notePeak(used int64) { c.peak = max(c.peak, min(used, maxPeak)) }

// orphanHandles detaches the core from the slabs that users hold, so that a stale
// handle has nothing to hand out.
func (c *core) orphanHandles() {
	for i, s := range c.slabs {
		if s.exported {
			own := new(slab)
			*own = *s
			own.exported, own.chunks = false, append([]chunk(nil), s.chunks...)
			*s = slab{slabRest: slabRest{elem: s.elem, freed: true}}
			c.slabs[i] = own
			c.table.replace(s, own)
			c.cache.empty()
			c.slots = [memory.Modules]any{} // they refer to the old slab
		}
	}
}

// slabFor returns the slab of e's type, and registers it under the key.
func (c *core) slabFor(key uintptr, e *elem) *slab {
	for _, s := range c.slabs {
		if s.elem == e {
			c.table.put(key, s)
			return s
		}
	}
	if len(c.spare) == 0 {
		c.spare = make([]slab, min(len(c.slabs), 16)) // doubles them: most arenas have few types
	}
	s := &c.spare[0]
	c.spare = c.spare[1:]
	s.elem, s.core = e, c
	c.slabs = append(c.slabs, s)
	c.table.put(key, s)
	return s
}
