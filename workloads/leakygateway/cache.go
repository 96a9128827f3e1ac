package main

import (
	"hash/maphash"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// maxSeries is how many series the cured gateway remembers: more than report
// at a time, so that those it forgets are those that ended.
const maxSeries = 4096

// cache remembers the series that were asked for last. It is safe for
// concurrent use.
type cache struct {
	seed  maphash.Seed
	known *lru.Cache[uint64, *series]
}

func newCache(size int) *cache {
	known, err := lru.New[uint64, *series](size)
	if err != nil {
		panic(err) // the size is a constant of this package, above zero
	}
	return &cache{maphash.MakeSeed(), known}
}

// series returns a series, cached or new. The cache key is a hash, because a
// string key would have to be allocated for each lookup. The series keeps its
// text, so that a hash collision is detected.
func (c *cache) series(tenant string, text []byte) (*series, error) {
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteString(tenant)
	h.WriteByte(0)
	h.Write(text)
	key := h.Sum64()
	if s, ok := c.known.Get(key); ok && s.tenant == tenant && s.text == string(text) {
		return s, nil
	}
	s, err := newSeries(strings.Clone(tenant), string(text)) // copies: a series keeps nothing of its request
	if err != nil {
		return nil, err
	}
	c.known.Add(key, s)
	return s, nil
}
