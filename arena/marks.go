package arena

import "unsafe"

// A Checkpoint is a moment in the life of an arena. It is valid until the arena
// is reset, freed, or reset to an earlier checkpoint.
type Checkpoint struct {
	core *core
	id   uint64 // unique in the core
	at   int    // index in marks.stack
}

// marks is a stack of checkpoints. Its memory is kept for the next ones, within the
// arena's bound.
type marks struct {
	stack     []mark
	positions []position // the positions of all marks, one for each slab that existed
	ids       uint64
}

type mark struct {
	id        uint64
	positions int // the index of its first position
}

// A position says how much of a slab is in use.
type position struct {
	next    int
	low     uintptr
	outside uintptr
}

// Mark returns a checkpoint to which [Arena.ResetTo] can return any number of times.
// Its time is proportional to the number of types ever used in the arena or in
// earlier arenas of the same memory. In a steady state it allocates nothing. Mark of
// a nil *Arena returns the zero Checkpoint.
func (a *Arena) Mark() Checkpoint {
	if a == nil {
		return Checkpoint{}
	}
	c := a.live("Mark")
	c.whole = invalid
	m := &c.marks
	if n := len(m.stack); n > 0 && m.holds(m.stack[n-1], c.slabs) {
		return Checkpoint{c, m.stack[n-1].id, n - 1}
	}
	m.ids++
	m.stack = append(m.stack, mark{m.ids, len(m.positions)})
	for _, s := range c.slabs {
		m.positions = append(m.positions, s.position())
	}
	return Checkpoint{c, m.ids, len(m.stack) - 1}
}

// ResetTo ends the life of all values allocated since the checkpoint. An older [Map],
// [Buffer] or slice of [Append] that has grown since must not be used any more.
// ResetTo panics if the checkpoint is not valid. With a nil *Arena it does nothing.
func (a *Arena) ResetTo(at Checkpoint) {
	if a == nil {
		return
	}
	c := a.live("ResetTo")
	m := &c.marks
	if at.core != c || at.at >= len(m.stack) || m.stack[at.at].id != at.id {
		panic("arena: ResetTo a checkpoint of another arena, or of one that has been reset past it")
	}
	checkAll()
	c.notePeak(c.used())
	m.pop(at.at)
	kept := m.positions[m.stack[at.at].positions:]
	for i, s := range c.slabs {
		var p position
		if i < len(kept) {
			p = kept[i]
		}
		if s.position() != p {
			s.rewind(p)
		}
	}
}

// position is zero for a slab without values.
func (s *slab) position() position {
	if !s.dirty() {
		return position{}
	}
	return position{s.next, s.low(), s.outside}
}

// holds reports whether the slabs are still where the last mark found them.
func (m *marks) holds(last mark, slabs []*slab) bool {
	kept := m.positions[last.positions:]
	for i, s := range slabs {
		var p position
		if i < len(kept) {
			p = kept[i]
		}
		if s.position() != p {
			return false
		}
	}
	return true
}

// pop drops the marks after number at.
func (m *marks) pop(at int) {
	if at+1 < len(m.stack) {
		m.positions = m.positions[:m.stack[at+1].positions]
		m.stack = m.stack[:at+1]
	}
}

// drop makes all marks invalid, and keeps at most keep bytes of memory. The ids
// continue, so that none becomes valid again.
func (m *marks) drop(keep int64) {
	m.stack, m.positions = m.stack[:0], m.positions[:0]
	if int64(cap(m.stack))*int64(unsafe.Sizeof(mark{}))+int64(cap(m.positions))*int64(unsafe.Sizeof(position{})) > keep {
		m.trim()
	}
}

// trim gives back the memory of a stack that is empty.
func (m *marks) trim() {
	if len(m.stack) == 0 {
		m.stack, m.positions = nil, nil
	}
}
