package arenagrpc

import (
	"math/bits"

	"github.com/heapwright/heapwright/arena"
)

// sizes is the number of classes of messages by their encoded size. Each class is for
// messages of up to eight times the size of those in the one before it, and the last for
// all others, of 128 KiB and more.
const sizes = 5

// pools have a pool for each class. With one pool for all, a small message could get the
// memory of an earlier large one, and a client that does not end its call would hold it.
type pools [sizes]*arena.Pool

// newPools has pool serve the largest messages. It returns nil for a nil pool.
func newPools(pool *arena.Pool) *pools {
	if pool == nil {
		return nil
	}
	all := &pools{sizes - 1: pool}
	for i := range all[:sizes-1] {
		all[i] = &arena.Pool{Retain: pool.Retain}
	}
	return all
}

// of returns the pool for messages of that many bytes.
func (p *pools) of(bytes int) *arena.Pool {
	return p[min(bits.Len(uint(bytes)>>6)/3, sizes-1)]
}
