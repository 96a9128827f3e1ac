package arena

import "sync/atomic"

// usual is how many bytes the slabs of a type usually need in an arena: what the
// first chunk of a new one should have, as chunks that are too small cost time,
// and too large ones memory. Nobody tells of an arena that is dropped, so the
// guess sinks with every use until it proves too low. Lost updates do not matter.
type usual struct{ bytes atomic.Int64 }

const (
	// maxUsual bounds what a wrong guess wastes: in a run of arenas that need
	// little after one that needed much, sinking times as much in all.
	maxUsual = 128 << 10
	sinking  = 512 // parts, of which the guess loses one with every use
	rising   = 32  // parts, by one of which a new guess is above what proved too low
)

// next returns the guess for a new slab.
func (u *usual) next() uintptr {
	n := u.bytes.Load()
	u.bytes.Store(n - n/sinking)
	return uintptr(n)
}

// more notes that a slab needs more than n bytes.
func (u *usual) more(n int64) {
	if n += n / rising; n <= maxUsual && n > u.bytes.Load() {
		u.bytes.Store(n)
	}
}
