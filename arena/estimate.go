package arena

import "sync/atomic"

// An estimate is the number of bytes that a slab of a type needs in an arena. The
// first chunk of a new slab has this size: smaller chunks cost time, larger ones
// memory. A dropped arena reports nothing, so the estimate decays with every use
// until it proves too low. Lost updates do not matter.
type estimate struct{ bytes atomic.Int64 }

const (
	// maxEstimate bounds the waste of an estimate that is too high. Arenas that need
	// little, after one that needed much, waste at most decay times as much in all.
	maxEstimate = 128 << 10
	decay       = 512 // every use takes 1/512 off the estimate
	margin      = 32  // a new estimate is 1/32 above the one that proved too low
)

// next returns the estimate for a new slab.
func (e *estimate) next() uintptr {
	n := e.bytes.Load()
	e.bytes.Store(n - n/decay)
	return uintptr(n)
}

// raise records that a slab needs more than n bytes.
func (e *estimate) raise(n int64) {
	if n += n / margin; n <= maxEstimate && n > e.bytes.Load() {
		e.bytes.Store(n)
	}
}
