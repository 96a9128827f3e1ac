// Package hashtext is a pair for text that is converted to be written: keys are
// spread over shards by a hash. Before, each key becomes a slice of bytes for the
// hash; after, the hash is computed from the string.
package hashtext

import (
	"hash"
	"hash/fnv"
)

// spread counts the keys of each shard.
type spread func(keys []string, shards []int)

func before(keys []string, shards []int) {
	h := fnv.New64a()
	for _, k := range keys {
		shards[shard(h, []byte(k), len(shards))]++
	}
}

// shard is the shard of a key.
func shard(h hash.Hash64, key []byte, n int) int {
	h.Reset()
	h.Write(key)
	return int(h.Sum64() % uint64(n))
}

func after(keys []string, shards []int) {
	for _, k := range keys {
		sum := uint64(14695981039346656037)
		for i := range len(k) {
			sum = (sum ^ uint64(k[i])) * 1099511628211
		}
		shards[sum%uint64(len(shards))]++
	}
}
