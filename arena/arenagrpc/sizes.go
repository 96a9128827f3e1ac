package arenagrpc

import (
	"math/bits"

	"github.com/heapwright/heapwright/arena"
)

// sizeClasses is the number of classes of messages by their encoded size. The first class
// has messages below 256 bytes, and each further one messages up to eight times as large.
// The last has all messages of 128 KiB and more.
const sizeClasses = 5

// pools holds a pool for each class of sizes. With one pool for all, a small message could
// get the memory of an earlier large one, and a client that does not end its call would
// hold that memory.
type pools [sizeClasses]*arena.Pool

// newPools returns pools of which the given one serves the largest messages. It returns
// nil for a nil pool.
func newPools(pool *arena.Pool) *pools {
	if pool == nil {
		return nil
	}
	all := &pools{sizeClasses - 1: pool}
	for i := range all[:sizeClasses-1] {
		all[i] = &arena.Pool{Retain: pool.Retain}
	}
	return all
}

// forSize returns the pool for messages of the given encoded size in bytes. The class is
// the logarithm of bytes/32 to the base 8.
func (p *pools) forSize(bytes int) *arena.Pool {
	return p[min(bits.Len(uint(bytes)>>6)/3, sizeClasses-1)]
}
