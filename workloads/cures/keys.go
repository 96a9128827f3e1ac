package cures

import (
	"hash/maphash"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// keys counts words of a text. The faulty one makes a string of each to look it
// up; the cured one lets the compiler do without.
type keys struct {
	counts map[string]*int
	text   []byte
	seed   maphash.Seed
	sum    uint64
}

func newKeys() *keys {
	k := &keys{counts: map[string]*int{}, seed: maphash.MakeSeed()}
	for i := range 4096 {
		word := []byte("a key of some length, as services have them 0000")
		for j := range 4 {
			word[len(word)-1-j] += byte(i >> (3 * j) & 7)
		}
		k.text = append(k.text, word...)
		k.counts[string(word)] = new(int)
	}
	return k
}

func (k *keys) count() {
	const length = 48
	for text := k.text; len(text) > 0; text = text[length:] {
		word := text[:length]
		k.sum += maphash.Bytes(k.seed, word)
		if cure.Cured {
			*k.counts[string(word)]++
			continue
		}
		*k.counts[faultyKey(word)]++
	}
}

//go:noinline
func faultyKey(word []byte) string { return string(word) }
