package clean

import "github.com/heapwright/heapwright/arena"

// Each of these gives the field a new value, or gives up its owner.
type renewing struct {
	mem   *arena.Arena
	lines *arena.Buffer
}

func newRenewing() *renewing {
	r := &renewing{mem: arena.NewArena()}
	r.begin()
	return r
}

func (r *renewing) begin()     { r.lines = arena.NewBuffer(r.mem, 4096) }
func (r *renewing) text() int  { return r.lines.Len() }
func (r *renewing) next()      { r.mem.Reset(); r.begin() }
func (r *renewing) clear()     { r.mem.Reset(); r.lines = nil }
func (r *renewing) close()     { r.mem.Free() }
func (r *renewing) closeLast() { r.mem.Reset(); r.mem.Free() }

// The caller renews it.
type renewedOutside struct {
	mem   *arena.Arena
	words []string
}

func newRenewedOutside() *renewedOutside { return &renewedOutside{mem: arena.NewArena()} }

func (r *renewedOutside) reset() { r.mem.Reset() }

func (r *renewedOutside) close() { r.mem.Free() }

func (r *renewedOutside) round(texts []string) int {
	r.reset()
	r.words = nil
	for _, t := range texts {
		r.words = arena.Append(r.mem, r.words, t)
	}
	return len(r.words)
}
