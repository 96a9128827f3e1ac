package arena

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkMapGet reads a Map and a Go map with the same keys, which are asked for
// in random order and are not the strings that the maps hold.
func BenchmarkMapGet(b *testing.B) {
	for _, size := range []int{8, 1000, 1_000_000} {
		for _, keys := range []struct {
			name   string
			format string
		}{{"short", "k%07d"}, {"long", "a/path/that/keys/have/in/common/%08d"}} {
			benchmarkGet(b, keys.name, size, func(i int) string { return fmt.Sprintf(keys.format, i) })
		}
		benchmarkGet(b, "int", size, func(i int) int { return i * 7919 })
	}
}

func benchmarkGet[K comparable](b *testing.B, keys string, size int, key func(int) K) {
	b.Run(fmt.Sprintf("%d/%s", size, keys), func(b *testing.B) {
		a := NewArena()
		defer a.Free()
		ours, theirs := NewMap[K, int](a, 0), map[K]int{}
		hits, misses := make([]K, size), make([]K, size)
		for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(size) {
			k := key(i)
			ours.Set(k, i)
			theirs[k] = i
			hits[j], misses[j] = key(i), key(i+size)
		}
		for name, asked := range map[string][]K{"hit": hits, "miss": misses} {
			b.Run(name+"/arena", func(b *testing.B) {
				i, sum := 0, 0
				for b.Loop() {
					v, _ := ours.Get(asked[i])
					sum += v
					if i++; i == size {
						i = 0
					}
				}
			})
			b.Run(name+"/go", func(b *testing.B) {
				i, sum := 0, 0
				for b.Loop() {
					v := theirs[asked[i]]
					sum += v
					if i++; i == size {
						i = 0
					}
				}
			})
		}
	})
}
