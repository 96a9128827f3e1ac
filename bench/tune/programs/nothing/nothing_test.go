// Package nothing is a well-made program: it reuses its buffers. It spends its
// time on sorting and hashing in the standard library, and there is nothing to
// gain by allocating less.
package nothing

import (
	"hash/crc32"
	"slices"
	"testing"
)

var (
	keys  = make([]uint32, 4096)
	bytes = make([]byte, 64<<10)
	sum   uint32
)

func round(seed uint32) uint32 {
	x := seed | 1
	for i := range keys {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		keys[i] = x
	}
	slices.Sort(keys)
	for i := range bytes {
		bytes[i] = byte(keys[i%len(keys)])
	}
	return crc32.ChecksumIEEE(bytes)
}

func BenchmarkRound(b *testing.B) {
	i := uint32(0)
	for b.Loop() {
		i++
		sum += round(i)
	}
}
